import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkPlivoSignature, checkPlivoV2Signature } from '../../signatures/url-signatures.js'

/** Plivo's Message API (v1). Each part of a long text has a receipt, with the id of the first. */
export const plivo: ProviderPreset = {
  title: 'Plivo',
  url: 'https://api.plivo.com',
  path: '/v1/Account/{account}/Message/',
  user: '{account}',
  password: '{env:PLIVO_AUTH_TOKEN}',
  type: 'json',
  bodies: ['{"src":"{from}","dst":"{digits}","text":"{text}"<,"url":"{webhook}","method":"POST">}'],
  success: 'message_uuid[0]',
  id: 'message_uuid[*]',
  omitsPlus: true,
  states: {
    queued: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    undelivered: 'undelivered',
    failed: 'undelivered',
    rejected: 'undelivered',
  },
  status: {
    path: '/v1/Account/{account}/Message/{providerid}/',
    receipt: {
      id: ['message_uuid'],
      number: ['to_number'],
      value: ['message_state'],
      at: ['message_time'],
      reason: ['error_code'],
    },
  },
  webhook: {
    check: checkPlivoSignature,
    weakChecks: { v2: checkPlivoV2Signature },
    secret: ['PLIVO_AUTH_TOKEN'],
    signsUrl: true,
    reply: '<Response/>',
    receipt: {
      when: 'Status',
      id: ['ParentMessageUUID', 'MessageUUID'],
      number: ['To'],
      value: ['Status'],
      reason: ['ErrorCode'],
    },
    text: {
      when: ['Text', 'Type=mms'],
      id: ['MessageUUID'],
      number: ['From'],
      to: ['To'],
      value: ['Text', 'Body'],
      media: ['Media*'],
      mms: 'Type=mms',
    },
  },
}
