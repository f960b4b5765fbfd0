/** Payment, banking and shops. Publishable keys are public and stay. */

import { tokens } from '../format.ts'

export const COMMERCE = [
  tokens({ type: 'STRIPE_KEY', glued: true, of: ['(sk|rk)_(live|test|prod)_{an16,250}', 'sk_org_(live|test)_{an16,250}'], no: ['pk_test_{an24}', 'pk_live_{an24}', 'sk_live_{x24}', 'sk_test_your_key_here'] }),
  tokens({ type: 'STRIPE_WEBHOOK_SECRET', of: ['whsec_{base24,80}{pad0,2}'] }),
  tokens({ type: 'SQUARE_TOKEN', of: ['(sq0atp|sq0csp|sq0idp|sandbox-sq0csb)-{url22,43}', 'EAAA{url60}', 'EAAAE{url59,60}'] }),
  tokens({ type: 'PAYPAL_TOKEN', of: ['access_token$(production|sandbox)${lo16}${hex32}'] }),
  tokens({ type: 'SHOPIFY_TOKEN', of: ['(shpat|shpca|shppa|shpss|shptka)_{Hex32}'] }),
  tokens({ type: 'PLAID_TOKEN', of: ['access-(sandbox|development|production)-{uuid}'] }),
  tokens({ type: 'FLUTTERWAVE_KEY', of: ['(FLWSECK|FLWSECK_TEST)-{an12,40}-X', 'FLWSECK_TEST-{an12}'], no: ['FLWSECK_TEST-{x12}', 'FLWPUBK_TEST-{hex32}-X'] }),
  tokens({ type: 'RAZORPAY_KEY', of: ['rzp_(live|test)_{an14,20}'] }),
  tokens({ type: 'MOLLIE_KEY', of: ['(live|test)_{an30}'], alone: true, no: ['test_returnsTheRightValueWhenEmptyX'] }),
  tokens({ type: 'GOCARDLESS_TOKEN', of: ['live_{url40}'], alone: true }),
  tokens({ type: 'LOB_KEY', of: ['(live|test)_{hex35}'], alone: true }),
  tokens({ type: 'PADDLE_KEY', of: ['pdl_(live|sdbx)_apikey_{lo26}_{an22}_{an3}'] }),
  tokens({ type: 'POLAR_TOKEN', of: ['polar_(oat|pat|at_u|rt_u|cs|whs)_{an32,64}'] }),
  tokens({ type: 'EASYPOST_KEY', of: ['(EZAK|EZTK){an54}'] }),
  tokens({ type: 'DUFFEL_TOKEN', of: ['duffel_(test|live)_{url43}'] }),
  tokens({ type: 'SHIPPO_TOKEN', of: ['shippo_(live|test)_{hex40}'] }),
]
