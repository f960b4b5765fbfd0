/** The scanner for credentials and personal data. */

export { createScanner, FINDING_TYPES } from './scanner.ts'
export { createTextScan } from './text-scan.ts'
export type { Finding, Redacted, Scanner, ScannerOptions } from './scanner.ts'
