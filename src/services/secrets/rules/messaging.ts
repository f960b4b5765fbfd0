/** Chat, mail, telephony and social networks. */

import { tokens } from '../format.ts'

// The first three letters that the base64 form of a decimal account number can have.
const DISCORD_STARTS = `(${[...'MNO'].flatMap((a) => [...'DTjz'].flatMap((b) => [...'AEIMQUYcgk'].map((c) => a + b + c))).join('|')})`
const HEX_STARTS = '(0|1|2|3|4|5|6|7|8|9|a|b|c|d|e|f)'

export const MESSAGING = [
  tokens({ type: 'SLACK_TOKEN', glued: true, of: ['xox(b|p|a|r|s|o|c|d|e)-{url20,260}', 'xoxd-{base40,400}', 'xoxe.xox(b|p)-{d1}-{an100,260}', 'xapp-{d1}-{up6,16}-{d8,16}-{lo40,80}'], no: ['xoxo, see you', 'xoxb-your-token-goes-here-in-full', 'xoxb-{x30}'] }),
  tokens({ type: 'SLACK_WEBHOOK', of: ['hooks.slack.com/(services|workflows|triggers)/{webbase30,100}'], no: ['hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'] }),
  tokens({ type: 'DISCORD_TOKEN', of: [`${DISCORD_STARTS}{an20,25}.{url6}.{url27,40}`] }),
  tokens({ type: 'DISCORD_WEBHOOK', of: ['(discord|discordapp).com/api/webhooks/{d17,20}/{url60,72}'] }),
  tokens({ type: 'TEAMS_WEBHOOK', of: ['outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{hex32}/{uuid}', '{url1,63}.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex32}/{uuid}'] }),
  tokens({ type: 'TELEGRAM_TOKEN', of: ['{d8,10}:AA{url33}'] }),
  tokens({ type: 'TWILIO_KEY', of: [`SK${HEX_STARTS}{hex31}`] }),
  tokens({ type: 'SENDGRID_KEY', of: ['SG.{url22}.{url43}', 'SG.{url16,32}.{url30,64}'], no: ['SG.{x22}.{x43}'] }),
  tokens({ type: 'MAILGUN_KEY', of: ['key-{hex32}'], alone: true, no: ['npm-key-{hex32}'] }),
  tokens({ type: 'MAILCHIMP_KEY', of: ['{hex32}-us{d1,2}'] }),
  tokens({ type: 'BREVO_KEY', of: ['(xkeysib|xsmtpsib)-{hex64}-{an16}'] }),
  tokens({ type: 'RESEND_KEY', of: ['re_{an8}_{an24}'], alone: true }),
  tokens({ type: 'MAILERSEND_KEY', of: ['mlsn.{hex64}'] }),
  tokens({ type: 'FACEBOOK_TOKEN', of: ['(EAAA|EAAB|EAAC|EAAD|EAAG|EAAM|EAAE){an60,300}', 'IGQV{url60,300}'] }),
  tokens({ type: 'TWITTER_BEARER', of: ['AAAAAAAAAAAAAAAAAAAAA{an60,120}', 'AAAAAAAAAAAAAAAAAAAAA{an8,12}%{an50,100}'] }),
  tokens({ type: 'FIREBASE_MESSAGING_KEY', of: ['AAAA{url7}:APA91b{url130,140}'], no: ['AAAA{url7}:APA91b...'] }),
  tokens({ type: 'ZAPIER_WEBHOOK', of: ['hooks.zapier.com/hooks/catch/{d4,10}/{lo6,10}'] }),
]
