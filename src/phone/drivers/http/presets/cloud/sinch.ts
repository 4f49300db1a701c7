import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSinchSignature } from '../../signatures/body-signatures.js'

const path = '/xms/v1/{service}/batches'

/** Sinch's SMS API (XMS v1); `service` is the service plan. */
export const sinch: ProviderPreset = {
  title: 'Sinch',
  url: 'https://{region}.sms.api.sinch.com',
  path,
  headers: { authorization: 'Bearer {env:SINCH_API_TOKEN}' },
  type: 'json',
  bodies: [
    '{"from":"{from}","to":["{digits}"],"body":"{text}","client_reference":"{id}"' +
      '<,"delivery_report":"per_recipient","callback_url":"{webhook}">}',
  ],
  flash: '"flash_message":true',
  success: 'id',
  id: 'id',
  omitsPlus: true,
  states: {
    queued: 'pending',
    dispatched: 'pending',
    delivered: 'delivered',
    aborted: 'undelivered',
    cancelled: 'undelivered',
    rejected: 'undelivered',
    deleted: 'undelivered',
    failed: 'undelivered',
    expired: 'expired',
  },
  status: {
    path: `${path}/{providerid}/delivery_report/{digits}`,
    receipt: {
      id: ['batch_id'],
      number: ['recipient'],
      value: ['status'],
      at: ['operator_status_at', 'at'],
      reason: ['status_message', 'code'],
    },
  },
  webhook: {
    check: checkSinchSignature,
    secret: ['SINCH_WEBHOOK_SECRET'],
    receipt: {
      when: 'type=recipient_delivery_report_sms',
      id: ['batch_id'],
      number: ['recipient'],
      value: ['status'],
      at: ['operator_status_at', 'at'],
      reason: ['status_message', 'code'],
    },
    text: {
      when: 'type=mo_text|mo_media',
      id: ['id'],
      number: ['from'],
      to: ['to'],
      value: ['body', 'body.message'],
      subject: ['body.subject'],
      media: ['body.media[*].url'],
      at: ['sent_at', 'received_at'],
    },
  },
}
