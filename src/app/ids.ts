/** Ids that a door hands out: unguessable, and never one of the caller's choosing. */

import { newId } from '../exits/random.ts'

/** Names one process among those that answer for each other. */
export const newPlace = (): string => newId()

/** @param place where the answer is waited for. */
export const newQuestionId = (place: string): string => `q-${place}-${newId()}`

const QUESTION = /^q-([A-Za-z0-9_-]{16})-[A-Za-z0-9_-]{16}$/

/** Where the answer to a question is waited for; undefined for what is no id of a question. */
export const placeOf = (id: unknown): string | undefined => (typeof id === 'string' ? QUESTION.exec(id)?.[1] : undefined)
