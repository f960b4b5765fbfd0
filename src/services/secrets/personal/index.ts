/** Every rule for personal data. */

import type { PersonalRule } from '../rule.ts'
import { CARD } from './card.ts'
import { EMAIL } from './email.ts'
import { IBAN } from './iban.ts'
import { NATIONAL_ID } from './national-ids.ts'
import { PHONE } from './phone.ts'
import { SSN } from './ssn.ts'

export const PERSONAL_RULES: readonly PersonalRule[] = [IBAN, CARD, NATIONAL_ID, SSN, EMAIL, PHONE]
