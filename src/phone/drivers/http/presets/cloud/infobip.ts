import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSharedSecret } from '../../signatures/shared-secret.js'

const receipt = {
  list: 'results',
  when: 'status.groupName',
  id: ['messageId'],
  number: ['to'],
  value: ['status.groupName'],
  at: ['doneAt'],
  reason: ['error.description', 'status.description'],
}

/** Infobip's SMS API (v3); the address is that of the account. It signs no webhooks. */
export const infobip: ProviderPreset = {
  title: 'Infobip',
  path: '/sms/3/messages',
  headers: { authorization: 'App {env:INFOBIP_API_KEY}' },
  type: 'json',
  bodies: [
    '{"messages":[{"sender":"{from}","destinations":[{"to":"{digits}","messageId":"{id}"}],' +
      '"content":{"text":"{text}"}<,"webhooks":{"delivery":{"url":"{webhook}"}}>}]}',
  ],
  success: 'messages[*].messageId',
  id: 'messages[*].messageId',
  parts: 'messages[0].details.messageCount',
  code: 'messages[*].status.name,messages[*].status.groupName',
  codes: {
    sent: 'PENDING,ACCEPTED,DELIVERED',
    fail: 'REJECTED,UNDELIVERABLE,EXPIRED',
    trouble: 'REJECTED_NOT_ENOUGH_CREDITS,REJECTED_PREPAID_PACKAGE_EXPIRED',
  },
  omitsPlus: true,
  states: {
    pending: 'pending',
    accepted: 'pending',
    delivered: 'delivered',
    undeliverable: 'undelivered',
    rejected: 'undelivered',
    expired: 'expired',
  },
  status: { path: '/sms/3/reports?messageId={providerid}', receipt },
  webhook: {
    check: checkSharedSecret,
    secret: ['SMSRELAY_WEBHOOK_SECRET'],
    hasSecretPath: true,
    receipt,
    text: {
      list: 'results',
      when: 'from',
      id: ['messageId'],
      number: ['from'],
      to: ['to'],
      value: ['text', 'message[*].value'],
      media: ['message[*].url'],
      at: ['receivedAt'],
    },
  },
}
