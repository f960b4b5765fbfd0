/** Ids that a door hands out: unguessable, and never one of the caller's choosing. */

import { newId } from '../exits/random.ts'

export const newQuestionId = (): string => `q-${newId()}`
