import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSharedSecret } from '../../signatures/shared-secret.js'

/** ClickSend's REST API (v3). It signs no webhooks; their rules are set in its dashboard. */
export const clicksend: ProviderPreset = {
  title: 'ClickSend',
  url: 'https://rest.clicksend.com',
  path: '/v3/sms/send',
  user: '{account}',
  password: '{env:CLICKSEND_API_KEY}',
  type: 'json',
  bodies: [
    '{"messages":[{"source":"smsrelay","to":"{destination}","body":"{text}",' +
      '"custom_string":"{id}"<,"from":"{from}">}]}',
  ],
  success: 'data.messages[*].status=SUCCESS',
  id: 'data.messages[*].message_id',
  parts: 'data.messages[0].message_parts',
  code: 'data.messages[*].status',
  codes: {
    sent: 'SUCCESS',
    fail: 'INVALID_RECIPIENT,EMPTY_MESSAGE,ALREADY_EXISTS,TOO_MANY_RECIPIENTS',
    trouble:
      'INSUFFICIENT_CREDIT,INVALID_SENDER_ID,INVALID_CREDENTIALS,MISSING_CREDENTIALS,' +
      'ACCOUNT_NOT_ACTIVATED,COUNTRY_NOT_ENABLED,THROTTLED',
  },
  states: {
    200: 'pending',
    300: 'pending',
    201: 'delivered',
    301: 'undelivered',
    302: 'undelivered',
  },
  status: {
    path: '/v3/sms/receipts/{providerid}',
    receipt: {
      id: ['data.message_id'],
      number: ['data.to'],
      value: ['data.status_code'],
      at: ['data.timestamp'],
      reason: ['data.error_text', 'data.status_text'],
    },
  },
  webhook: {
    check: checkSharedSecret,
    secret: ['SMSRELAY_WEBHOOK_SECRET'],
    hasSecretPath: true,
    receipt: {
      when: 'status_code',
      id: ['message_id'],
      number: ['to'],
      value: ['status_code'],
      at: ['timestamp'],
      reason: ['error_text', 'status_text'],
    },
    text: {
      when: 'from',
      id: ['message_id'],
      number: ['from'],
      to: ['to'],
      value: ['body', 'message'],
      at: ['timestamp'],
    },
  },
}
