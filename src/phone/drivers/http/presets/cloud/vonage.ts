import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkVonageSignature } from '../../signatures/jwt-signatures.js'

/** Vonage's Messages API (v1); its webhooks are signed with the account's signature secret. */
export const vonage: ProviderPreset = {
  title: 'Vonage',
  url: 'https://api.nexmo.com',
  path: '/v1/messages',
  user: '{account}',
  password: '{env:VONAGE_API_SECRET}',
  type: 'json',
  bodies: [
    '{"channel":"sms","message_type":"text","to":"{digits}","from":"{from}","text":"{text}",' +
      '"client_ref":"{id}"<,"webhook_url":"{webhook}","webhook_version":"v1">}',
  ],
  success: 'message_uuid',
  id: 'message_uuid',
  omitsPlus: true,
  states: {
    submitted: 'pending',
    delivered: 'delivered',
    rejected: 'undelivered',
    undeliverable: 'undelivered',
  },
  webhook: {
    check: checkVonageSignature,
    secret: ['VONAGE_SIGNATURE_SECRET'],
    receipt: {
      when: 'status',
      id: ['message_uuid'],
      number: ['to'],
      value: ['status'],
      at: ['timestamp'],
      reason: ['error.detail', 'error.title'],
    },
    text: {
      when: 'message_type=text|image|audio|video|vcard|file',
      id: ['message_uuid'],
      number: ['from'],
      to: ['to'],
      value: ['text', 'image.caption', 'video.caption', 'file.caption'],
      media: ['image.url', 'audio.url', 'video.url', 'vcard.url', 'file.url'],
      at: ['timestamp'],
    },
  },
}
