import { mutationsNeverRun } from './consent-mutations.ts'

mutationsNeverRun(10_000)
