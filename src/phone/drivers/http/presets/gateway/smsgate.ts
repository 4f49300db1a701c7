// Presets of gateways that users run themselves, or of apps that make a phone a gateway. The files
// have the form of those of hosted providers.
//
// - SMSGate, httpSMS and textbee: Android phones.
// - Kannel and Jasmin: gateways to SMSCs. They sign no webhooks, so the address has a secret.

import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSmsgateSignature } from '../../signatures/body-signatures.js'

/**
 * SMSGate's local server (capcom6/android-sms-gateway, modules/localserver). It answers 202, and
 * 409 to an id that it knows, so a repeated request does not send twice.
 */
export const smsgate: ProviderPreset = {
  title: 'SMSGate',
  questions: {
    url: { ask: 'Address of the phone, such as http://192.168.1.20:8080', required: 'url' },
    user: { ask: 'User', suggest: 'sms' },
    password: {
      ask: 'Password (empty: SMSRELAY_HTTP_PASSWORD in the environment)',
      mask: 'all',
    },
  },
  path: '/messages',
  password: '{env:SMSRELAY_HTTP_PASSWORD}',
  type: 'json',
  bodies: [
    '{"id":"{id}","textMessage":{"text":"{text}"},"phoneNumbers":["{destination}"]' +
      '<,"simNumber":{sim}>}',
  ],
  id: '{id}',
  statuses: { sent: '409' },
  unsure: 'retry',
  states: {
    pending: 'pending',
    processed: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    failed: 'undelivered',
    'sms:sent': 'pending',
    'sms:delivered': 'delivered',
    'sms:failed': 'undelivered',
  },
  status: {
    path: '/messages/{providerid}',
    receipt: {
      id: ['id'],
      number: ['recipients[0].phoneNumber'],
      value: ['state'],
      reason: ['recipients[0].error'],
    },
  },
  webhook: {
    check: checkSmsgateSignature,
    secret: ['SMSGATE_SIGNING_KEY'],
    receipt: {
      when: 'event=sms:sent|sms:delivered|sms:failed',
      id: ['payload.messageId'],
      number: ['payload.recipient', 'payload.phoneNumber'],
      value: ['event'],
      at: ['payload.deliveredAt', 'payload.failedAt', 'payload.sentAt'],
      reason: ['payload.reason'],
    },
    text: {
      when: 'event=sms:received|mms:received|mms:downloaded',
      // The app may call twice for a text, with two ids of the event (issue 264).
      id: [],
      number: ['payload.sender', 'payload.phoneNumber'],
      to: ['payload.recipient'],
      value: ['payload.message', 'payload.body'],
      at: ['payload.receivedAt'],
      sim: ['payload.simNumber'],
      mms: 'event=mms:received|mms:downloaded',
      subject: ['payload.subject'],
      size: ['payload.size'],
    },
  },
}
