/** What travels through a client and comes back: tickets of open questions, and session ids. */

export { createSeal } from './seal.ts'
export { createSealedSessions } from './sealed-sessions.ts'
export { createSealedTickets } from './sealed-tickets.ts'
