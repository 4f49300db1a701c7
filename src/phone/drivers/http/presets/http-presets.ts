// The providers that the driver `http` knows.
//
// - cloud: hosted providers. gateway: gateways that users run, and apps on a phone.
// - http-presets.ts lists them by the name of the option `preset`.
// - describe-presets.ts says for people what each one needs.

import type { ProviderPreset } from '../rules/provider-preset.js'
import { awsSms } from './cloud/aws-sms.js'
import { awsSns } from './cloud/aws-sns.js'
import { bird } from './cloud/bird.js'
import { clicksend } from './cloud/clicksend.js'
import { infobip } from './cloud/infobip.js'
import { messagebird } from './cloud/messagebird.js'
import { plivo } from './cloud/plivo.js'
import { sinch } from './cloud/sinch.js'
import { telnyx } from './cloud/telnyx.js'
import { twilio } from './cloud/twilio.js'
import { vonage } from './cloud/vonage.js'
import { httpsms } from './gateway/httpsms.js'
import { jasmin } from './gateway/jasmin.js'
import { kannel } from './gateway/kannel.js'
import { smsgate } from './gateway/smsgate.js'
import { textbee } from './gateway/textbee.js'

/** SMS services that the http driver knows, by their published interfaces of 2026. */
export const presets: Readonly<Record<string, ProviderPreset>> = {
  twilio,
  vonage,
  plivo,
  telnyx,
  sinch,
  messagebird,
  bird,
  infobip,
  clicksend,
  'aws-sns': awsSns,
  'aws-sms': awsSms,
  smsgate,
  httpsms,
  textbee,
  kannel,
  jasmin,
}
