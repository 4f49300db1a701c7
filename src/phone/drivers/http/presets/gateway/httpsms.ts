import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkHttpsmsSignature } from '../../signatures/jwt-signatures.js'

/** httpSMS (docs.httpsms.com); `request_id` is for tracking only. */
export const httpsms: ProviderPreset = {
  title: 'httpSMS',
  questions: { from: { ask: 'Number of the phone', required: 'from' } },
  url: 'https://api.httpsms.com',
  path: '/v1/messages/send',
  headers: { 'x-api-key': '{env:HTTPSMS_API_KEY}' },
  type: 'json',
  bodies: ['{"content":"{text}","from":"{from}","to":"{destination}","request_id":"{id}"}'],
  id: 'data.id',
  states: {
    'message.phone.sent': 'pending',
    'message.phone.delivered': 'delivered',
    'message.send.failed': 'undelivered',
    'message.send.expired': 'expired',
  },
  webhook: {
    check: checkHttpsmsSignature,
    secret: ['HTTPSMS_SIGNING_KEY'],
    signsUrl: true,
    receipt: {
      when: 'data.id',
      id: ['data.id'],
      number: ['data.contact'],
      value: ['type'],
      at: ['data.timestamp', 'time'],
      reason: ['data.error_message'],
    },
    text: {
      when: 'type=message.phone.received',
      id: ['data.message_id', 'id'],
      number: ['data.contact'],
      to: ['data.owner'],
      value: ['data.content'],
      at: ['data.timestamp', 'time'],
      sim: ['data.sim'],
      media: ['data.attachments[*]', 'data.attachments[*].url'],
    },
  },
}
