// Presets of hosted providers, one file each: data by the provider's published interface of 2026.
//
// - The request: address, login, and a template of the body.
// - The reply: where it has the id and the number of parts, and what its error codes mean.
// - The delivery status: by a request for one text (`status`), or by webhook.
// - The webhook: who signs it, and where it has the fields of a receipt and of a received text.
//
// rules/provider-preset.ts describes the fields.

import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkTwilioSignature } from '../../signatures/url-signatures.js'

const path = '/2010-04-01/Accounts/{account}/Messages'
const sections = '<&StatusCallback={webhook}>'

/** Twilio's Messages resource (2010-04-01); a POST is not idempotent there. */
export const twilio: ProviderPreset = {
  title: 'Twilio',
  questions: {
    account: { ask: 'Account SID', required: 'account' },
    from: { ask: 'Number of the sender', required: 'from' },
  },
  url: 'https://api.twilio.com',
  path: `${path}.json`,
  user: '{account}',
  password: '{env:TWILIO_AUTH_TOKEN}',
  type: 'form',
  bodies: [
    `To={destination}&MessagingServiceSid={service}&Body={text}${sections}`,
    `To={destination}&From={from}&Body={text}${sections}`,
  ],
  success: 'sid',
  id: 'sid',
  parts: 'num_segments',
  code: 'code',
  codes: {
    // The sender is invalid, not ours, or has no permission for the region; the queue is full.
    trouble: '20003,20005,20429,21212,21408,21603,21606,21660,30001,30002,63038',
  },
  states: {
    accepted: 'pending',
    scheduled: 'pending',
    queued: 'pending',
    sending: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    undelivered: 'undelivered',
    failed: 'undelivered',
    canceled: 'undelivered',
  },
  status: {
    path: `${path}/{providerid}.json`,
    receipt: {
      id: ['sid'],
      number: ['to'],
      value: ['status'],
      at: ['date_updated'],
      reason: ['error_message', 'error_code'],
    },
  },
  webhook: {
    check: checkTwilioSignature,
    secret: ['TWILIO_WEBHOOK_TOKEN', 'TWILIO_AUTH_TOKEN'],
    signsUrl: true,
    reply: '<Response/>',
    receipt: {
      when: 'MessageStatus',
      id: ['MessageSid', 'SmsSid'],
      number: ['To'],
      value: ['MessageStatus'],
      reason: ['ErrorMessage', 'ErrorCode'],
    },
    text: {
      when: 'SmsStatus=received',
      id: ['MessageSid', 'SmsSid'],
      number: ['From'],
      to: ['To'],
      value: ['Body'],
      media: ['MediaUrl*'],
    },
  },
}
