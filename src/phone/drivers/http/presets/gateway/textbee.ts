import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkTextbeeSignature } from '../../signatures/body-signatures.js'

/** textbee (vernu/textbee, POST /gateway/send-sms); a 400 often means a disabled phone. */
export const textbee: ProviderPreset = {
  title: 'textbee',
  questions: { device: { ask: 'Id of the phone (empty: the default phone)' } },
  url: 'https://api.textbee.dev',
  path: '/api/v1/gateway/send-sms',
  headers: { 'x-api-key': '{env:TEXTBEE_API_KEY}' },
  type: 'json',
  bodies: ['{"message":"{text}","recipients":["{destination}"]<,"deviceId":"{device}">}'],
  id: 'data.smsBatchId',
  statuses: { retry: '400' },
  states: {
    message_sent: 'pending',
    message_delivered: 'delivered',
    message_failed: 'undelivered',
  },
  webhook: {
    check: checkTextbeeSignature,
    secret: ['TEXTBEE_SIGNING_SECRET'],
    receipt: {
      when: 'webhookEvent=MESSAGE_SENT|MESSAGE_DELIVERED|MESSAGE_FAILED',
      id: ['smsBatchId'],
      number: ['recipient'],
      value: ['webhookEvent'],
      at: ['deliveredAt', 'failedAt', 'sentAt'],
      reason: ['errorMessage', 'errorCode'],
    },
    text: {
      when: 'webhookEvent=MESSAGE_RECEIVED',
      // The app may call twice for a text, with two ids (issue 159).
      id: [],
      number: ['sender'],
      value: ['message'],
      at: ['receivedAt'],
    },
  },
}
