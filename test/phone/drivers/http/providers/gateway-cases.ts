import { json, type ProviderCase, recipient, sender, webhookSecret } from './provider-case.js'
import { httpsmsSigner, smsgateSigner, textbeeSigner } from './sign-webhook.js'

const secret = { SMSRELAY_WEBHOOK_SECRET: webhookSecret }
const callback = (name: string) => `https://sms.example.com/${name}/${webhookSecret}`
const basic = (login: string) => `Authorization: Basic ${Buffer.from(login).toString('base64')}`

const smsgate: ProviderCase = {
  preset: 'smsgate',
  options: { user: 'sms' },
  env: { SMSRELAY_HTTP_PASSWORD: 'pass', SMSGATE_SIGNING_KEY: 'signing' },
  request: [
    'POST /messages HTTP/1.1',
    basic('sms:pass'),
    `{"id":"id-1","textMessage":{"text":"Hello €"},"phoneNumbers":["${recipient}"]}`,
  ],
  accepted: json(202, { id: 'id-1', state: 'Pending' }),
  id: 'id-1',
  failures: [
    ['invalid number', json(400, { message: 'Invalid phone number' }), 'fail'],
    ['unauthorized', { status: 401 }, 'trouble'],
    ['other', { status: 500 }, 'retry'],
  ],
  status: [
    /^GET \/messages\/id-1 /,
    { id: 'id-1', state: 'Failed', recipients: [{ phoneNumber: recipient, error: 'No service' }] },
    'undelivered',
  ],
  receipt: {
    body: {
      event: 'sms:delivered',
      id: 'w-1',
      payload: {
        messageId: 'id-1',
        phoneNumber: recipient,
        deliveredAt: '2026-11-22T19:00:00.000+07:00',
      },
    },
  },
  text: {
    body: {
      event: 'sms:received',
      id: 'w-9',
      payload: {
        messageId: 'abc',
        message: 'Ja €',
        phoneNumber: recipient,
        recipient: sender,
        receivedAt: '2026-11-22T19:00:00.000+07:00',
      },
    },
  },
  mms: [
    {
      body: {
        ...{ event: 'mms:received', id: 'w-8' },
        payload: {
          ...{ messageId: 'm-1', transactionId: 't-1', subject: 'Holiday', size: 96_857 },
          ...{ sender: recipient, recipient: sender, simNumber: 2 },
          receivedAt: '2026-11-22T19:00:00.000+07:00',
        },
      },
    },
    { text: '', sim: 'SIM 2', mms: { subject: 'Holiday', size: 96_857 } },
  ],
  sign: smsgateSigner('signing'),
}

const httpsms: ProviderCase = {
  preset: 'httpsms',
  options: { from: sender },
  env: { HTTPSMS_API_KEY: 'key', HTTPSMS_SIGNING_KEY: 'signing' },
  request: [
    'POST /v1/messages/send HTTP/1.1',
    'x-api-key: key',
    `{"content":"Hello €","from":"${sender}","to":"${recipient}","request_id":"id-1"}`,
  ],
  accepted: json(200, { status: 'success', data: { id: 'h-1' } }),
  id: 'h-1',
  failures: [
    ['invalid number', json(422, { status: 'error', message: 'validation errors' }), 'fail'],
    ['throttled', { status: 429 }, 'trouble'],
    ['unauthorized', json(401, { status: 'error', message: 'X-API-Key' }), 'trouble'],
  ],
  receipt: {
    body: {
      type: 'message.phone.delivered',
      id: 'ce-1',
      data: { id: 'h-1', contact: recipient, owner: sender, timestamp: '2026-11-22T12:00:00.262Z' },
    },
  },
  text: {
    body: {
      type: 'message.phone.received',
      id: 'ce-2',
      data: {
        message_id: 'h-9',
        contact: recipient,
        owner: sender,
        content: 'Ja €',
        timestamp: '2026-11-22T12:00:00.814Z',
      },
    },
  },
  sign: httpsmsSigner('signing'),
}

const textbee: ProviderCase = {
  preset: 'textbee',
  options: { number: sender },
  env: { TEXTBEE_API_KEY: 'key', TEXTBEE_SIGNING_SECRET: 'a-signing-secret-of-20' },
  request: [
    'POST /api/v1/gateway/send-sms HTTP/1.1',
    'x-api-key: key',
    `{"message":"Hello €","recipients":["${recipient}"]}`,
  ],
  accepted: json(200, { data: { success: true, smsBatchId: 'x-1', recipientCount: 1 } }),
  id: 'x-1',
  failures: [
    ['throttled', { status: 429 }, 'trouble'],
    ['unauthorized', json(401, { error: 'Unauthorized' }), 'trouble'],
    ['other', json(400, { success: false, error: 'Device is disabled' }), 'retry'],
  ],
  receipt: {
    body: {
      webhookEvent: 'MESSAGE_DELIVERED',
      smsId: 'y',
      smsBatchId: 'x-1',
      recipient,
      deliveredAt: '2026-11-22T12:00:00.000Z',
    },
  },
  text: {
    body: {
      webhookEvent: 'MESSAGE_RECEIVED',
      smsId: 'x-9',
      sender: recipient,
      message: 'Ja €',
      receivedAt: '2026-11-22T12:00:00.000Z',
    },
  },
  sign: textbeeSigner('a-signing-secret-of-20'),
}

const kannelReport = '%3Fid%3Did-1%26to%3D447700900001%26type%3D%25d%26reason%3D%25A'

const kannel: ProviderCase = {
  preset: 'kannel',
  options: { account: 'me', from: 'ACME' },
  env: { KANNEL_PASSWORD: 'pass', ...secret },
  request: [
    'GET /cgi-bin/sendsms?username=me&password=pass&to=%2B447700900001&text=Hello%20%E2%82%AC' +
      `&charset=UTF-8&from=ACME&dlr-mask=19&dlr-url=${encodeURIComponent(callback('kannel'))}` +
      `${kannelReport} HTTP/1.1`,
  ],
  accepted: { status: 202, body: '0: Accepted for delivery' },
  id: 'id-1',
  failures: [
    ['invalid number', { status: 403, body: 'Not routable. Do not try again.' }, 'fail'],
    ['throttled', { status: 503, body: 'Temporal failure, try again later.' }, 'retry'],
    ['unauthorized', { status: 403, body: 'Authorization failed for sendsms' }, 'trouble'],
    ['broken', { status: 202, body: '' }, 'unknown'],
  ],
  receipt: { method: 'GET', query: { id: 'id-1', to: '447700900001', type: '1', reason: 'OK' } },
  text: {
    method: 'GET',
    query: { id: 'k-9', from: recipient, to: sender, text: 'Ja €', time: '1795348800' },
  },
}

const jasmin: ProviderCase = {
  preset: 'jasmin',
  options: { account: 'me' },
  env: { JASMIN_PASSWORD: 'pass', ...secret },
  request: [
    'POST /send HTTP/1.1',
    'username=me&password=pass&to=%2B447700900001&coding=0&content=Hello+%E2%82%AC&dlr=yes' +
      `&dlr-level=2&dlr-method=POST&dlr-url=${encodeURIComponent(callback('jasmin'))}`,
  ],
  accepted: { status: 200, body: 'Success "j-1"' },
  id: 'j-1',
  failures: [
    ['invalid number', { status: 412, body: 'Error "No route found"' }, 'fail'],
    ['unauthorized', { status: 403, body: 'Error "Authentication failure"' }, 'trouble'],
    ['other', { status: 500, body: 'Error "Cannot send submit_sm"' }, 'retry'],
    ['broken', { status: 200, body: 'Success' }, 'unknown'],
  ],
  receipt: {
    form: { id: 'j-1', id_smsc: '2567', message_status: 'DELIVRD', level: '2', err: '0' },
  },
  text: { form: { id: 'j-9', from: recipient, to: sender, coding: '0', content: 'Ja €' } },
  reply: 'ACK/Jasmin',
}

/** Gateways that users run, and apps on a phone. */
export const gatewayCases: readonly ProviderCase[] = [smsgate, httpsms, textbee, kannel, jasmin]
