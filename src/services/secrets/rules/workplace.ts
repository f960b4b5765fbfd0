/** Documents, design, planning, analytics and monitoring. */

import { tokens } from '../format.ts'

export const WORKPLACE = [
  tokens({ type: 'GRAFANA_TOKEN', of: ['glsa_{an32}_{hex8}', 'glc_{base32,400}{pad0,3}', 'eyJrIjoi{base60,400}{pad0,2}'] }),
  tokens({ type: 'NEWRELIC_KEY', of: ['(NRAK|NRRA|NRAA)-{up27}', '(NRII|NRIQ)-{url32}', '{hex36}NRAL'] }),
  tokens({ type: 'SENTRY_TOKEN', of: ['sntrys_eyJ{webbase80,600}{pad0,2}', 'sntrys_eyJ{webbase80,600}{pad0,2}_{webbase43}', 'sntryu_{hex64}'] }),
  tokens({ type: 'DYNATRACE_TOKEN', of: ['dt0(c01|s01|s16).{up24}.{up64}', 'dt0s01.{up8}.{up64}'] }),
  tokens({ type: 'HONEYCOMB_KEY', of: ['hcaik_{lo58}'] }),
  tokens({ type: 'POSTHOG_KEY', of: ['phx_{an40,52}'], no: ['phc_{an43}'] }),
  tokens({ type: 'LINEAR_KEY', of: ['lin_(api|oauth)_{an40,80}'] }),
  tokens({ type: 'NOTION_TOKEN', of: ['ntn_{an43,50}', 'secret_{an43}'], no: ['secret_managerForTheProductionEnvironmentOfOurs'] }),
  tokens({ type: 'AIRTABLE_TOKEN', of: ['pat{an14}.{hex64}'] }),
  tokens({ type: 'FIGMA_TOKEN', of: ['(figd|figu|figo|figoh)_{url40,60}'] }),
  tokens({ type: 'FRAMEIO_TOKEN', of: ['fio-u-{url64}'] }),
  tokens({ type: 'TYPEFORM_TOKEN', of: ['tfp_{dot44,70}'] }),
  tokens({ type: 'POSTMAN_KEY', of: ['PMAK-{hex24}-{hex34}'] }),
  tokens({ type: 'README_KEY', of: ['rdme_{lo70}'] }),
  tokens({ type: 'CONTENTFUL_TOKEN', of: ['CFPAT-{url43}'] }),
  tokens({ type: 'DROPBOX_TOKEN', of: ['sl.{url130,200}', 'sl.u.{url130,1400}'] }),
  tokens({ type: 'ADOBE_SECRET', of: ['p8e-{lo32}', 'p8e-{url32}'] }),
  tokens({ type: 'HUBSPOT_TOKEN', of: ['pat-(na1|na2|eu1|ap1)-{uuid}'] }),
  tokens({ type: 'SALESFORCE_TOKEN', of: ['00D{an12}!{dot80,130}', '00D{an15}!{dot80,130}'], no: ['00D{an12}!'] }),
  tokens({ type: 'SIDEKIQ_SECRET', of: ['{hex8}:{hex8}@(gems|enterprise).contribsys.com'], fixed: true }),
  tokens({ type: 'LAUNCHDARKLY_KEY', of: ['(sdk|api)-{uuid}'], alone: true }),
  tokens({ type: 'MAPBOX_TOKEN', of: ['sk.eyJ{url60,200}.{url22}'] }),
  tokens({ type: 'CALCOM_KEY', of: ['cal_live_{hex32}', 'cal_{hex32}'], alone: true }),
  tokens({ type: 'AIRTABLE_WEBHOOK', of: ['hooks.airtable.com/workflows/v1/genericWebhook/{an17}/{an17}/{an17}'] }),
]
