import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkMessagebirdSignature } from '../../signatures/jwt-signatures.js'

/** MessageBird's SMS API; it reports the status of texts that have a `reference`. */
export const messagebird: ProviderPreset = {
  title: 'MessageBird',
  url: 'https://rest.messagebird.com',
  path: '/messages',
  headers: { authorization: 'AccessKey {env:MESSAGEBIRD_ACCESS_KEY}' },
  type: 'json',
  bodies: [
    '{"originator":"{from}","recipients":["{digits}"],"body":"{text}","datacoding":"auto",' +
      '"reference":"{id}"<,"reportUrl":"{webhook}">}',
  ],
  flash: '"type":"flash"',
  success: 'id',
  id: 'id',
  parts: 'recipients.items[0].messagePartCount',
  code: 'errors[*].code',
  // Login, and credit.
  codes: { trouble: '2,25' },
  omitsPlus: true,
  states: {
    scheduled: 'pending',
    buffered: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    delivery_failed: 'undelivered',
    expired: 'expired',
  },
  status: {
    path: '/messages/{providerid}',
    receipt: {
      id: ['id'],
      number: ['recipients.items[0].recipient'],
      value: ['recipients.items[0].status'],
      at: ['recipients.items[0].statusDatetime'],
      reason: ['recipients.items[0].statusReason', 'recipients.items[0].statusErrorCode'],
    },
  },
  webhook: {
    check: checkMessagebirdSignature,
    secret: ['MESSAGEBIRD_SIGNING_KEY'],
    signsUrl: true,
    receipt: {
      when: 'status',
      id: ['id'],
      number: ['recipient'],
      value: ['status'],
      at: ['statusDatetime'],
      reason: ['statusReason', 'statusErrorCode'],
    },
    text: {
      when: 'originator',
      id: ['id', 'messageId'],
      number: ['originator'],
      to: ['recipient'],
      value: ['body', 'payload'],
      subject: ['subject'],
      media: ['mediaUrls[*]'],
      at: ['createdDatetime'],
    },
  },
}
