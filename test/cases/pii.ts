/** Runs the lines of the personal-data cases: they are judged as the secret ones are. */

export { runSecretCase as runPiiCase } from './secrets.ts'
export type { SecretCase as PiiCase } from './secrets.ts'
