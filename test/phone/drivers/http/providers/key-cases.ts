import { json, type ProviderCase, recipient, sender } from './provider-case.js'
import { plivoSigner, twilioSigner, vonageSigner } from './sign-webhook.js'

const basic = (login: string) => `Authorization: Basic ${Buffer.from(login).toString('base64')}`
const account = 'AC00112233445566778899aabbccddeeff'
const callback = (name: string) => `https://sms.example.com/${name}`

const twilio: ProviderCase = {
  preset: 'twilio',
  options: { account, from: sender },
  env: { TWILIO_AUTH_TOKEN: 'token' },
  request: [
    `POST /2010-04-01/Accounts/${account}/Messages.json HTTP/1.1`,
    basic(`${account}:token`),
    'To=%2B447700900001&From=%2B12025550100&Body=Hello+%E2%82%AC&StatusCallback=https%3A%2F%2F' +
      'sms.example.com%2Ftwilio',
  ],
  accepted: json(201, { sid: 'SM1', status: 'queued', num_segments: '2', error_code: null }),
  id: 'SM1',
  parts: 2,
  failures: [
    ['invalid number', json(400, { code: 21211, message: "Invalid 'To'", status: 400 }), 'fail'],
    ['throttled', json(429, { code: 20429, message: 'Too Many Requests' }), 'trouble'],
    ['unauthorized', json(401, { code: 20003, message: 'Authenticate' }), 'trouble'],
    ['other', json(400, { code: 21606, message: "'From' is not yours" }), 'trouble'],
    ['broken', { status: 201, body: '{"sid"' }, 'unknown'],
  ],
  status: [
    new RegExp(`^GET /2010-04-01/Accounts/${account}/Messages/SM1.json `),
    { sid: 'SM1', to: recipient, status: 'undelivered', error_code: 30003 },
    'undelivered',
  ],
  receipt: {
    form: { MessageSid: 'SM1', MessageStatus: 'delivered', SmsStatus: 'delivered', To: recipient },
  },
  text: {
    form: { MessageSid: 'SM9', SmsStatus: 'received', From: recipient, To: sender, Body: 'Ja €' },
  },
  mms: [
    {
      form: {
        ...{ MessageSid: 'MM9', SmsStatus: 'received', From: recipient, To: sender, Body: 'Look' },
        ...{ NumMedia: '2', MediaUrl0: 'https://media.example.com/0' },
        ...{ MediaContentType0: 'image/png', MediaUrl1: 'https://media.example.com/1' },
      },
    },
    {
      text: 'Look',
      mms: { media: ['https://media.example.com/0', 'https://media.example.com/1'] },
    },
  ],
  sign: twilioSigner('token'),
  reply: '<Response/>',
}

const vonage: ProviderCase = {
  preset: 'vonage',
  options: { account: 'key', from: 'ACME' },
  env: { VONAGE_API_SECRET: 'secret', VONAGE_SIGNATURE_SECRET: 'signing' },
  request: [
    'POST /v1/messages HTTP/1.1',
    basic('key:secret'),
    '"channel":"sms","message_type":"text","to":"447700900001","from":"ACME","text":"Hello €"',
    `"webhook_url":"${callback('vonage')}"`,
  ],
  accepted: json(202, { message_uuid: 'uuid-1' }),
  id: 'uuid-1',
  failures: [
    ['invalid number', json(422, { title: 'Invalid params', detail: 'Invalid `to`' }), 'fail'],
    ['throttled', json(429, { title: 'Rate Limit', detail: 'Please wait' }), 'trouble'],
    ['unauthorized', json(401, { title: 'Unauthorised', detail: 'Check your key' }), 'trouble'],
    ['no credit', json(402, { title: 'Low balance', detail: 'Top up' }), 'trouble'],
    ['broken', { status: 202, body: '<html>' }, 'unknown'],
  ],
  receipt: {
    body: {
      message_uuid: 'uuid-1',
      to: '447700900001',
      from: 'ACME',
      timestamp: '2026-11-22T12:00:00.000Z',
      status: 'delivered',
      channel: 'sms',
    },
  },
  text: {
    body: {
      channel: 'sms',
      message_uuid: 'uuid-9',
      to: '12025550100',
      from: '447700900001',
      timestamp: '2026-11-22T12:00:00Z',
      message_type: 'text',
      text: 'Ja €',
      sms: { num_messages: '1' },
    },
  },
  mms: [
    {
      body: {
        ...{ channel: 'mms', message_uuid: 'uuid-8', to: '12025550100', from: '447700900001' },
        ...{ message_type: 'image', image: { url: 'https://media.example.com/1' } },
      },
    },
    { text: '', mms: { media: ['https://media.example.com/1'] } },
  ],
  sign: vonageSigner('signing'),
}

const plivo: ProviderCase = {
  preset: 'plivo',
  options: { account: 'MA1', from: sender },
  env: { PLIVO_AUTH_TOKEN: 'token' },
  request: [
    'POST /v1/Account/MA1/Message/ HTTP/1.1',
    basic('MA1:token'),
    `{"src":"${sender}","dst":"447700900001","text":"Hello €","url":"${callback('plivo')}"`,
  ],
  accepted: json(202, { message: 'message(s) queued', message_uuid: ['p-1'], api_id: 'a' }),
  id: 'p-1',
  failures: [
    ['invalid number', json(400, { api_id: 'a', error: 'dst is invalid' }), 'fail'],
    ['throttled', json(429, { api_id: 'a', error: 'Too many requests' }), 'trouble'],
    ['unauthorized', { status: 401, body: 'Could not verify your access level' }, 'trouble'],
    ['broken', { status: 202, body: '' }, 'unknown'],
  ],
  status: [
    /^GET \/v1\/Account\/MA1\/Message\/p-1\/ /,
    { message_uuid: 'p-1', message_state: 'delivered', to_number: '447700900001' },
    'delivered',
  ],
  receipt: {
    form: { MessageUUID: 'p-2', ParentMessageUUID: 'p-1', Status: 'delivered', To: '447700900001' },
  },
  text: {
    form: {
      MessageUUID: 'p-9',
      From: '447700900001',
      To: '12025550100',
      Type: 'sms',
      Text: 'Ja €',
    },
  },
  mms: [
    {
      form: {
        ...{ MessageUUID: 'p-8', From: '447700900001', To: '12025550100', Type: 'mms' },
        ...{ MediaCount: '1', Media0: 'https://media.example.com/0' },
      },
    },
    { text: '', mms: { media: ['https://media.example.com/0'] } },
  ],
  sign: plivoSigner('token'),
  reply: '<Response/>',
}

/** Hosted providers that sign with the key of the account, in the order of their presets. */
export const keyCases: readonly ProviderCase[] = [twilio, vonage, plivo]
