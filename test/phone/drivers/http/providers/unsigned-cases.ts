import { json, type ProviderCase, recipient, sender, webhookSecret } from './provider-case.js'

const secret = { SMSRELAY_WEBHOOK_SECRET: webhookSecret }
const aws = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const callback = (name: string) => `https://sms.example.com/${name}/${webhookSecret}`
const basic = (login: string) => `Authorization: Basic ${Buffer.from(login).toString('base64')}`

const infobipReply = (groupName: string, name: string) =>
  json(200, {
    bulkId: 'b',
    messages: [
      {
        messageId: 'i-1',
        status: { groupId: 1, groupName, id: 26, name, description: 'Described' },
        destination: '447700900001',
        details: { messageCount: 1 },
      },
    ],
  })

const infobip: ProviderCase = {
  preset: 'infobip',
  options: { from: 'ACME' },
  env: { INFOBIP_API_KEY: 'key', ...secret },
  request: [
    'POST /sms/3/messages HTTP/1.1',
    'authorization: App key',
    '{"messages":[{"sender":"ACME","destinations":[{"to":"447700900001","messageId":"id-1"}],' +
      `"content":{"text":"Hello €"},"webhooks":{"delivery":{"url":"${callback('infobip')}"}}}]}`,
  ],
  accepted: infobipReply('PENDING', 'PENDING_ACCEPTED'),
  id: 'i-1',
  parts: 1,
  failures: [
    ['invalid number', infobipReply('REJECTED', 'REJECTED_DESTINATION'), 'fail'],
    ['throttled', { status: 429 }, 'trouble'],
    [
      'unauthorized',
      json(401, {
        requestError: {
          serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' },
        },
      }),
      'trouble',
    ],
    ['no credit', infobipReply('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'), 'trouble'],
    ['broken', { status: 200, body: '{"messages":[]}' }, 'unknown'],
  ],
  status: [
    /^GET \/sms\/3\/reports\?messageId=i-1 /,
    { results: [{ messageId: 'i-1', to: '447700900001', status: { groupName: 'DELIVERED' } }] },
    'delivered',
  ],
  receipt: {
    body: {
      results: [
        {
          messageId: 'i-1',
          to: '447700900001',
          doneAt: '2026-11-22T12:00:00.000+0000',
          status: { groupId: 3, groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' },
          error: { groupId: 0, name: 'NO_ERROR', description: 'No Error' },
        },
      ],
    },
  },
  text: {
    body: {
      results: [
        {
          messageId: 'i-9',
          from: '447700900001',
          to: '12025550100',
          text: 'Ja €',
          cleanText: 'Ja €',
          receivedAt: '2026-11-22T12:00:00.000+0000',
        },
      ],
      messageCount: 1,
      pendingMessageCount: 0,
    },
  },
}

const clicksendReply = (status: string) =>
  json(200, {
    http_code: 200,
    response_code: 'SUCCESS',
    data: { messages: [{ message_id: 'c-1', to: recipient, status, message_parts: 1 }] },
  })

const clicksend: ProviderCase = {
  preset: 'clicksend',
  options: { account: 'me' },
  env: { CLICKSEND_API_KEY: 'key', ...secret },
  request: [
    'POST /v3/sms/send HTTP/1.1',
    basic('me:key'),
    `{"messages":[{"source":"smsrelay","to":"${recipient}","body":"Hello €",` +
      '"custom_string":"id-1"}]}',
  ],
  accepted: clicksendReply('SUCCESS'),
  id: 'c-1',
  parts: 1,
  failures: [
    ['invalid number', clicksendReply('INVALID_RECIPIENT'), 'fail'],
    ['throttled', json(429, { http_code: 429, response_code: 'TOO_MANY_REQUESTS' }), 'trouble'],
    ['unauthorized', json(401, { http_code: 401, response_code: 'UNAUTHORIZED' }), 'trouble'],
    ['no credit', clicksendReply('INSUFFICIENT_CREDIT'), 'trouble'],
    ['other', clicksendReply('SOMETHING_IS_WRONG'), 'retry'],
    ['broken', { status: 200, body: '{"data":' }, 'unknown'],
  ],
  status: [
    /^GET \/v3\/sms\/receipts\/c-1 /,
    { data: { message_id: 'c-1', status_code: '201', timestamp: 1795348800 } },
    'delivered',
  ],
  receipt: {
    form: { message_id: 'c-1', status_code: '201', to: recipient, timestamp: '1795348800' },
  },
  text: {
    form: { message_id: 'c-9', from: recipient, to: sender, body: 'Ja €', timestamp: '1795348800' },
  },
}

const snsError = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code>\n<Message>Bad</Message></Error>` +
  '</ErrorResponse>'

const awsSns: ProviderCase = {
  preset: 'aws-sns',
  options: { region: 'eu-west-1' },
  env: aws,
  request: [
    'POST / HTTP/1.1',
    'X-Amz-Date: 20261122T120000Z',
    'Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122/eu-west-1/sns/aws4_request,',
    'Action=Publish&Version=2010-03-31&PhoneNumber=%2B447700900001&Message=Hello+%E2%82%AC',
  ],
  accepted: {
    status: 200,
    body: '<PublishResponse><MessageId>s-1</MessageId></PublishResponse>',
  },
  id: 's-1',
  failures: [
    ['invalid number', { status: 400, body: snsError('InvalidParameter') }, 'fail'],
    ['throttled', { status: 400, body: snsError('Throttling') }, 'trouble'],
    ['unauthorized', { status: 403, body: snsError('SignatureDoesNotMatch') }, 'trouble'],
    ['broken', { status: 200, body: '<PublishResponse>' }, 'unknown'],
  ],
}

const awsSms: ProviderCase = {
  preset: 'aws-sms',
  options: { region: 'eu-west-1', from: sender, configuration: 'texts', topic: 'arn:t' },
  env: { ...aws, AWS_SESSION_TOKEN: 'session' },
  request: [
    'POST / HTTP/1.1',
    'x-amz-target: PinpointSMSVoiceV2.SendTextMessage',
    'X-Amz-Security-Token: session',
    'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target',
    `{"DestinationPhoneNumber":"${recipient}","OriginationIdentity":"${sender}",` +
      '"MessageBody":"Hello €","ConfigurationSetName":"texts"}',
  ],
  accepted: json(200, { MessageId: 'e-1' }),
  id: 'e-1',
  failures: [
    [
      'invalid number',
      json(400, { __type: 'ValidationException', Message: 'Phone', Reason: 'INVALID' }),
      'fail',
    ],
    [
      'throttled',
      json(400, { __type: 'com.amazonaws.sms#ThrottlingException', Message: 'Slow' }),
      'trouble',
    ],
    ['unauthorized', json(400, { __type: 'AccessDeniedException', Message: 'No' }), 'trouble'],
    ['broken', { status: 200, body: '' }, 'unknown'],
  ],
}

/** Hosted providers that sign nothing, and AWS, whose webhooks have a test of their own. */
export const unsignedCases: readonly ProviderCase[] = [infobip, clicksend, awsSns, awsSms]
