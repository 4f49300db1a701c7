import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkTelnyxSignature } from '../../signatures/body-signatures.js'

/** Telnyx's Messaging API (v2). */
export const telnyx: ProviderPreset = {
  title: 'Telnyx',
  url: 'https://api.telnyx.com',
  path: '/v2/messages',
  headers: { authorization: 'Bearer {env:TELNYX_API_KEY}' },
  type: 'json',
  bodies: [
    '{"messaging_profile_id":"{service}","from":"{from}","to":"{destination}","text":"{text}"' +
      '<,"webhook_url":"{webhook}">}',
    '{"from":"{from}","to":"{destination}","text":"{text}"<,"webhook_url":"{webhook}">}',
  ],
  success: 'data.id',
  id: 'data.id',
  parts: 'data.parts',
  code: 'errors[*].code',
  // Login, credit, and a sender that is not ours or has no messaging profile.
  codes: { trouble: '10009,10010,20100,40001,40305,40312,40318' },
  states: {
    queued: 'pending',
    sending: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    sending_failed: 'undelivered',
    delivery_failed: 'undelivered',
    expired: 'expired',
  },
  status: {
    path: '/v2/messages/{providerid}',
    receipt: {
      id: ['data.id'],
      number: ['data.to[0].phone_number'],
      value: ['data.to[0].status'],
      at: ['data.completed_at'],
      reason: ['data.errors[0].detail', 'data.errors[0].title'],
    },
  },
  webhook: {
    check: checkTelnyxSignature,
    secret: ['TELNYX_PUBLIC_KEY'],
    receipt: {
      when: 'data.event_type=message.sent|message.finalized',
      id: ['data.payload.id'],
      number: ['data.payload.to[0].phone_number'],
      value: ['data.payload.to[0].status'],
      at: ['data.payload.completed_at', 'data.occurred_at'],
      reason: ['data.payload.errors[0].detail', 'data.payload.errors[0].title'],
    },
    text: {
      when: 'data.event_type=message.received',
      id: ['data.payload.id'],
      number: ['data.payload.from.phone_number'],
      to: ['data.payload.to[0].phone_number'],
      value: ['data.payload.text'],
      media: ['data.payload.media[*].url'],
      subject: ['data.payload.subject'],
      at: ['data.payload.received_at', 'data.occurred_at'],
    },
  },
}
