import { mutationsNeverRun, nothingChangedRuns } from './consent-mutations.ts'

nothingChangedRuns()
mutationsNeverRun(1_000)
