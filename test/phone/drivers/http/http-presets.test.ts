import { describe, expect, it } from 'vitest'
import { expectUsageError } from '../usage-error.js'
import { formatRequest, httpDriver, startProvider } from './provider.js'

const never = new AbortController().signal
const message = { id: '0199-id', destination: '+12025550123', text: 'Say "Hé" & 100%\n€ 😀 {id}' }
const inJson = 'Say \\"Hé\\" & 100%\\n€ 😀 {id}'

const defaultLines = (host: string, type: string) => [
  `Host: ${host}`,
  'User-Agent: smsrelay',
  'Accept: application/json',
  `Content-Type: ${type}`,
]
const json = (host: string) => defaultLines(host, 'application/json')

describe('smsgate', () => {
  const env = { SMSRELAY_HTTP_PASSWORD: 'pass' }
  const accepted = { status: 202, body: '{"id":"0199-id","state":"Pending"}' }

  it('sends the request of its local server', async () => {
    const { url, host, requests } = await startProvider(accepted)
    const driver = httpDriver({ preset: 'smsgate', url: `${url}/`, user: 'sms' }, env)
    expect(await driver.send(message, never)).toEqual({})
    const numbers = '"phoneNumbers":["+12025550123"]'
    const body = `{"id":"0199-id","textMessage":{"text":"${inJson}"},${numbers}}`
    const lines = ['POST /messages HTTP/1.1', ...json(host), 'Authorization: Basic c21zOnBhc3M=']
    expect(requests).toEqual([formatRequest(lines, body)])
  })

  it('passes the number of the SIM', async () => {
    const { url, requests } = await startProvider(accepted)
    await httpDriver({ preset: 'smsgate', url, user: 'sms', sim: '2' }, env).send(message, never)
    expect(requests[0]).toMatch(/"phoneNumbers":\["\+12025550123"\],"simNumber":2\}$/)
  })

  it('counts an id that the service already knows as sent', async () => {
    const { url } = await startProvider({ status: 409, body: '{"message":"Conflict"}' })
    const driver = httpDriver({ preset: 'smsgate', url, user: 'sms' }, env)
    expect(await driver.send(message, never)).toEqual({})
  })

  it.each([
    ['500', { status: 500 }],
    ['no reply', (socket: { destroy(): void }) => socket.destroy()],
  ])('is retried after %s, because it knows the id', async (_, reply) => {
    const { url } = await startProvider(reply)
    const driver = httpDriver({ preset: 'smsgate', url, user: 'sms' }, env)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'retry' })
  })
})

describe('httpsms', () => {
  it('sends the request of its API', async () => {
    const body = '{"status":"success","message":"message added to queue","data":{"id":"1"}}'
    const { url, host, requests } = await startProvider({ status: 200, body })
    const options = { preset: 'httpsms', url, from: '+18005550199' }
    expect(await httpDriver(options, { HTTPSMS_API_KEY: 'key' }).send(message, never)).toEqual({})
    const sent = [
      `{"content":"${inJson}","from":"+18005550199",`,
      '"to":"+12025550123","request_id":"0199-id"}',
    ].join('')
    const lines = ['POST /v1/messages/send HTTP/1.1', ...json(host), 'x-api-key: key']
    expect(requests).toEqual([formatRequest(lines, sent)])
  })

  it('an error has the reason of the service', async () => {
    const body = '{"status":"error","message":"validation errors while sending message"}'
    const { url } = await startProvider({ status: 422, body })
    const options = { preset: 'httpsms', url, from: '+18005550199' }
    const sent = httpDriver(options, { HTTPSMS_API_KEY: 'key' }).send(message, never)
    await expect(sent).rejects.toMatchObject({
      kind: 'fail',
      message: /422 .*: validation errors/,
    })
  })
})

describe('textbee', () => {
  const env = { TEXTBEE_API_KEY: 'key' }
  const queued = { status: 200, body: '{"data":{"success":true,"smsBatchId":"1"}}' }

  it.each([
    ['any phone of the account', {}, ''],
    ['one phone', { device: '65f0' }, ',"deviceId":"65f0"'],
  ])('sends the request of its API for %s', async (_, more, device) => {
    const { url, host, requests } = await startProvider(queued)
    await httpDriver({ preset: 'textbee', url, ...more }, env).send(message, never)
    const body = `{"message":"${inJson}","recipients":["+12025550123"]${device}}`
    const lines = ['POST /api/v1/gateway/send-sms HTTP/1.1', ...json(host), 'x-api-key: key']
    expect(requests).toEqual([formatRequest(lines, body)])
  })

  it('a missing phone is retried, and an exhausted plan is trouble with a wait', async () => {
    const { url } = await startProvider(
      { status: 400, body: '{"message":"No enabled device to send from"}' },
      { status: 429, headers: { 'Retry-After': '60' } },
    )
    const driver = httpDriver({ preset: 'textbee', url }, env)
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'retry',
      message: /No enabled/,
    })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      wait: 60_000,
    })
  })
})

describe('twilio', () => {
  const env = { TWILIO_AUTH_TOKEN: 'token' }
  const account = 'AC00112233445566778899aabbccddeeff'
  const login = `Authorization: Basic ${Buffer.from(`${account}:token`).toString('base64')}`
  const body = '{"sid":"SM1","status":"queued","num_segments":"2","error_code":null}'
  const text = 'Say+%22H%C3%A9%22+%26+100%25%0A%E2%82%AC+%F0%9F%98%80+%7Bid%7D'

  it.each([
    ['a number', { from: '+15005550006' }, 'From=%2B15005550006'],
    ['a messaging service', { service: 'MG1' }, 'MessagingServiceSid=MG1'],
  ])('sends the request of its API from %s', async (_, sender, field) => {
    const { url, host, requests } = await startProvider({ status: 201, body })
    const driver = httpDriver({ preset: 'twilio', url, account, ...sender }, env)
    expect(await driver.send(message, never)).toEqual({ parts: 2 })
    const lines = [
      `POST /2010-04-01/Accounts/${account}/Messages.json HTTP/1.1`,
      ...defaultLines(host, 'application/x-www-form-urlencoded'),
      login,
    ]
    expect(requests).toEqual([formatRequest(lines, `To=%2B12025550123&${field}&Body=${text}`)])
  })

  it('counts the parts itself if a messaging service does not know them yet', async () => {
    const { url } = await startProvider({ status: 201, body: '{"sid":"SM1","num_segments":"0"}' })
    const driver = httpDriver({ preset: 'twilio', url, account, service: 'MG1' }, env)
    expect(await driver.send(message, never)).toEqual({})
  })

  it.each([
    [400, '{"code":21211,"message":"The To number is not valid."}', 'fail', /: The To number/],
    [401, '{"code":20003,"message":"Authenticate"}', 'trouble', /401 .*: Authenticate/],
    [429, '{"code":20429,"message":"Too Many Requests"}', 'trouble', /429/],
    [500, '{"code":20500,"message":"Internal Server Error"}', 'unknown', /500/],
    [201, '{}', 'unknown', /201.*without sid/],
  ])('%i %s is %s', async (status, reply, kind, values) => {
    const { url } = await startProvider({ status, body: reply })
    const driver = httpDriver({ preset: 'twilio', url, account, from: '+1500' }, env)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind, message: values })
  })
})

it.each<[Record<string, string>, string[]]>([
  [{ preset: 'smsgate' }, ['url', '--option url=http']],
  [{ preset: 'smsgate', url: 'http://x', user: 'sms' }, ['password', 'SMSRELAY_HTTP_PASSWORD']],
  [{ preset: 'httpsms' }, ['from']],
  [{ preset: 'httpsms', from: '+1' }, ['header.x-api-key', 'HTTPSMS_API_KEY']],
  [{ preset: 'textbee' }, ['TEXTBEE_API_KEY']],
  [{ preset: 'twilio', from: '+1' }, ['account', '--option account=AC']],
  [{ preset: 'twilio', account: 'AC1' }, ['from']],
  [{ preset: 'twilio', account: 'AC1', from: '+1' }, ['password', 'TWILIO_AUTH_TOKEN']],
  [{ preset: 'nexmo' }, ['"nexmo"', 'twilio, vonage', 'smsgate, httpsms, textbee']],
])('options %j are rejected', (options, values) => {
  expectUsageError(() => httpDriver(options), ...values)
})
