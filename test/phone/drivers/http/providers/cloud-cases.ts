import { json, type ProviderCase, recipient, sender } from './provider-case.js'
import {
  birdSigner,
  messagebirdSigner,
  sinchSigner,
  telnyxPublicKey,
  telnyxSigner,
} from './sign-webhook.js'

const callback = (name: string) => `https://sms.example.com/${name}`

const telnyx: ProviderCase = {
  preset: 'telnyx',
  options: { from: sender },
  env: { TELNYX_API_KEY: 'KEY1', TELNYX_PUBLIC_KEY: telnyxPublicKey },
  request: [
    'POST /v2/messages HTTP/1.1',
    'authorization: Bearer KEY1',
    `{"from":"${sender}","to":"${recipient}","text":"Hello €",` +
      `"webhook_url":"${callback('telnyx')}"}`,
  ],
  accepted: json(200, {
    data: { id: 't-1', parts: 1, to: [{ phone_number: recipient, status: 'queued' }] },
  }),
  id: 't-1',
  parts: 1,
  failures: [
    [
      'invalid number',
      json(400, { errors: [{ code: '40310', title: "Invalid 'to' address", detail: 'x' }] }),
      'fail',
    ],
    ['throttled', json(429, { errors: [{ code: '10011', title: 'Too many' }] }), 'trouble'],
    ['unauthorized', json(401, { errors: [{ code: '10009', title: 'Login' }] }), 'trouble'],
    ['no credit', json(400, { errors: [{ code: '20100', title: 'Funds' }] }), 'trouble'],
    ['broken', { status: 200, body: '{"data":{}}' }, 'unknown'],
  ],
  status: [
    /^GET \/v2\/messages\/t-1 /,
    { data: { id: 't-1', to: [{ phone_number: recipient, status: 'delivered' }] } },
    'delivered',
  ],
  receipt: {
    body: {
      data: {
        event_type: 'message.finalized',
        id: 'e-1',
        occurred_at: '2026-11-22T12:00:00.000+00:00',
        payload: { id: 't-1', to: [{ phone_number: recipient, status: 'delivered' }] },
      },
    },
  },
  text: {
    body: {
      data: {
        event_type: 'message.received',
        id: 'e-2',
        occurred_at: '2026-11-22T12:00:00.000+00:00',
        payload: {
          id: 't-9',
          from: { phone_number: recipient },
          to: [{ phone_number: sender }],
          text: 'Ja €',
        },
      },
    },
  },
  mms: [
    {
      body: {
        data: {
          event_type: 'message.received',
          payload: {
            ...{ id: 't-8', type: 'MMS', text: '', subject: 'Holiday' },
            from: { phone_number: recipient },
            to: [{ phone_number: sender }],
            media: [{ url: 'https://media.example.com/1', content_type: 'image/png' }],
          },
        },
      },
    },
    { text: '', mms: { subject: 'Holiday', media: ['https://media.example.com/1'] } },
  ],
  sign: telnyxSigner,
}

const sinch: ProviderCase = {
  preset: 'sinch',
  options: { region: 'eu', service: 'plan1', from: 'ACME' },
  env: { SINCH_API_TOKEN: 'token', SINCH_WEBHOOK_SECRET: 'signing' },
  request: [
    'POST /xms/v1/plan1/batches HTTP/1.1',
    'authorization: Bearer token',
    '{"from":"ACME","to":["447700900001"],"body":"Hello €","client_reference":"id-1",' +
      `"delivery_report":"per_recipient","callback_url":"${callback('sinch')}"}`,
  ],
  accepted: json(201, { id: '01FC', to: ['447700900001'], canceled: false, type: 'mt_text' }),
  id: '01FC',
  failures: [
    [
      'invalid number',
      json(400, { code: 'syntax_invalid_parameter_format', text: 'Invalid number' }),
      'fail',
    ],
    ['throttled', { status: 429 }, 'trouble'],
    ['unauthorized', { status: 401 }, 'trouble'],
    ['broken', { status: 201, body: '[]' }, 'unknown'],
  ],
  status: [
    /^GET \/xms\/v1\/plan1\/batches\/01FC\/delivery_report\/447700900001 /,
    { batch_id: '01FC', recipient: '447700900001', status: 'Expired', code: 406 },
    'expired',
  ],
  receipt: {
    body: {
      type: 'recipient_delivery_report_sms',
      batch_id: '01FC',
      recipient: '447700900001',
      code: 0,
      status: 'Delivered',
      at: '2026-11-22T12:00:00.210Z',
    },
  },
  text: {
    body: {
      type: 'mo_text',
      id: '01FD',
      from: '447700900001',
      to: '12025550100',
      body: 'Ja €',
      received_at: '2026-11-22T12:00:00.000Z',
    },
  },
  mms: [
    {
      body: {
        ...{ type: 'mo_media', id: '01FE', from: '447700900001', to: '12025550100' },
        body: { message: 'Look', media: [{ url: 'https://media.example.com/1' }] },
      },
    },
    { text: 'Look', mms: { media: ['https://media.example.com/1'] } },
  ],
  sign: sinchSigner('signing'),
}

const messagebird: ProviderCase = {
  preset: 'messagebird',
  options: { from: 'ACME' },
  env: { MESSAGEBIRD_ACCESS_KEY: 'key', MESSAGEBIRD_SIGNING_KEY: 'signing' },
  request: [
    'POST /messages HTTP/1.1',
    'authorization: AccessKey key',
    '{"originator":"ACME","recipients":["447700900001"],"body":"Hello €","datacoding":"auto",' +
      `"reference":"id-1","reportUrl":"${callback('messagebird')}"}`,
  ],
  accepted: json(201, {
    id: 'mb-1',
    recipients: { items: [{ recipient: 447700900001, status: 'sent', messagePartCount: 1 }] },
  }),
  id: 'mb-1',
  parts: 1,
  failures: [
    [
      'invalid number',
      json(422, { errors: [{ code: 9, description: 'no (correct) recipients found' }] }),
      'fail',
    ],
    ['throttled', { status: 429 }, 'trouble'],
    [
      'unauthorized',
      json(401, { errors: [{ code: 2, description: 'Request not allowed' }] }),
      'trouble',
    ],
    ['no credit', json(422, { errors: [{ code: 25, description: 'Balance' }] }), 'trouble'],
    ['broken', { status: 201, body: 'OK' }, 'unknown'],
  ],
  status: [
    /^GET \/messages\/mb-1 /,
    { id: 'mb-1', recipients: { items: [{ recipient: 447700900001, status: 'delivered' }] } },
    'delivered',
  ],
  receipt: {
    method: 'GET',
    query: {
      id: 'mb-1',
      reference: 'id-1',
      recipient: '447700900001',
      status: 'delivered',
      statusDatetime: '2026-11-22T12:00:00+00:00',
    },
  },
  text: {
    body: {
      id: 'mb-9',
      recipient: '12025550100',
      originator: '447700900001',
      body: 'Ja €',
      createdDatetime: '2026-11-22T12:00:00+00:00',
    },
  },
  sign: messagebirdSigner('signing'),
}

const bird: ProviderCase = {
  preset: 'bird',
  options: { workspace: 'w1', channel: 'c1', number: sender },
  env: { BIRD_ACCESS_KEY: 'key', BIRD_SIGNING_KEY: 'signing' },
  request: [
    'POST /workspaces/w1/channels/c1/messages HTTP/1.1',
    'authorization: AccessKey key',
    `{"receiver":{"contacts":[{"identifierKey":"phonenumber","identifierValue":"${recipient}"}]},` +
      '"body":{"type":"text","text":{"text":"Hello €"}},"reference":"id-1"}',
  ],
  accepted: json(202, { id: 'b-1', channelId: 'c1', status: 'accepted' }),
  id: 'b-1',
  failures: [
    ['invalid number', json(422, { code: 'InvalidPayload', message: 'identifier' }), 'fail'],
    ['throttled', { status: 429 }, 'trouble'],
    ['unauthorized', json(401, { code: 'Unauthenticated', message: 'key' }), 'trouble'],
    ['broken', { status: 202, body: '{}' }, 'unknown'],
  ],
  status: [
    /^GET \/workspaces\/w1\/channels\/c1\/messages\/b-1 /,
    { id: 'b-1', status: 'delivery_failed', reason: 'Absent subscriber' },
    'undelivered',
  ],
  receipt: {
    body: {
      service: 'channels',
      event: 'sms.outbound',
      payload: {
        id: 'b-1',
        receiver: { contacts: [{ identifierValue: recipient }] },
        status: 'delivered',
        lastStatusAt: '2026-11-22T12:00:00Z',
      },
    },
  },
  text: {
    body: {
      service: 'channels',
      event: 'sms.inbound',
      payload: {
        id: 'b-9',
        sender: { contact: { identifierKey: 'phonenumber', identifierValue: recipient } },
        body: { type: 'text', text: { text: 'Ja €' } },
        createdAt: '2026-11-22T12:00:00Z',
      },
    },
  },
  sign: birdSigner('signing'),
}

/** Hosted providers that sign with a key for webhooks only. */
export const cloudCases: readonly ProviderCase[] = [telnyx, sinch, messagebird, bird]
