import { describe, expect, it } from 'vitest'
import { signAwsRequest } from '../../../../src/phone/drivers/http/service/aws-signature.js'
import { expectUsageError } from '../usage-error.js'
import { httpDriver, jsonBody, message, never, type Reply, startDecider } from './provider.js'

// Of AWS's test suite for Signature Version 4.
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('Signature Version 4', () => {
  it.each<[string, string, string, Record<string, string>, string | undefined, string]>([
    [
      ...(['get-vanilla', 'GET', '/', {}, undefined] as const),
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      ...(['post-vanilla', 'POST', '/', {}, undefined] as const),
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'get-vanilla-query-order-key-case',
      ...(['GET', '/?Param2=value2&Param1=value1', {}, undefined] as const),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      ...(['post-x-www-form-urlencoded', 'POST', '/', form, 'Param1=value1'] as const),
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('%s has the published signature', (_, method, path, headers, body, signature) => {
    const url = new URL(`https://example.amazonaws.com${path}`)
    const request = { method, url, headers, body }
    const signed = signAwsRequest(request, credentials, Date.UTC(2015, 7, 30, 12, 36))
    expect(signed['X-Amz-Date']).toBe('20150830T123600Z')
    expect(signed.Authorization).toMatch(new RegExp(`Signature=${signature}$`))
  })
})

/** A provider that gives tokens and accepts only the last one. */
async function startTokenProvider(answers: readonly Reply[] = []) {
  let issued = 0
  const left = [...answers]
  const provider = await startDecider(request => {
    if (request.startsWith('POST /token')) {
      const scripted = left.shift()
      if (scripted !== undefined) return scripted
      issued += 1
      const body = JSON.stringify({ access_token: `token-${issued}`, expires_in: 600 })
      return { status: 200, body }
    }
    return { status: request.includes(`Bearer token-${issued}`) ? 200 : 401 }
  })
  const tokens = () => provider.requests.filter(each => each.startsWith('POST /token'))
  const revoke = () => {
    issued += 1
  }
  const open = (now = Date.now) =>
    httpDriver(
      { url: `${provider.url}/send`, ...jsonBody, 'oauth-url': `${provider.url}/token`, ...login },
      { SMSRELAY_OAUTH_SECRET: 'se:cret' },
      now,
    )
  return { ...provider, tokens, revoke, open }
}

const login = { 'oauth-id': 'relay', 'oauth-scope': 'sms' }

describe('OAuth 2.0 client credentials', () => {
  it('one token serves texts at the same time, until it ends', async () => {
    let time = 0
    const { open, tokens } = await startTokenProvider()
    const driver = open(() => time)
    await Promise.all([1, 2, 3].map(() => driver.send(message, never)))
    await driver.send(message, never)
    expect(tokens()).toHaveLength(1)
    const pair = Buffer.from('relay:se%3Acret').toString('base64')
    expect(tokens()[0]).toContain(`Authorization: Basic ${pair}`)
    expect(tokens()[0]).toMatch(/grant_type=client_credentials&scope=sms$/)
    time += 600_000
    await driver.send(message, never)
    expect(tokens()).toHaveLength(2)
  })

  it('a refused token is renewed once', async () => {
    const { open, tokens, revoke, requests } = await startTokenProvider()
    const driver = open()
    await driver.send(message, never)
    revoke()
    await driver.send(message, never)
    expect(tokens()).toHaveLength(2)
    expect(requests).toHaveLength(5)
  })

  it.each<[string, Reply]>([
    ['refused', { status: 401, body: '{"error":"invalid_client"}' }],
    ['broken', { status: 200, body: '{"token_type":"bearer"}' }],
    ['unavailable', socket => socket.destroy()],
  ])('a token that is %s is trouble, without the secret', async (_, reply) => {
    const { open, requests } = await startTokenProvider([reply])
    const driver = open()
    const error = await driver.send(message, never).catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble' })
    expect(error.message).not.toContain('cret')
    expect(requests).toHaveLength(1)
    await driver.send(message, never)
  })
})

const url = 'http://127.0.0.1:9'

it.each<[Record<string, string>, string[]]>([
  [{ url, 'oauth-id': 'a' }, ['oauth-url']],
  [{ url, 'oauth-url': 'example.com' }, ['oauth-url', 'https://']],
  [{ url, 'oauth-url': 'https://a/b' }, ['oauth-id']],
  [{ url, 'oauth-url': 'https://a/b', 'oauth-id': 'a' }, ['SMSRELAY_OAUTH_SECRET']],
  [{ preset: 'aws-sns' }, ['region']],
  [{ preset: 'aws-sns', region: 'eu-west-1' }, ['AWS_ACCESS_KEY_ID']],
])('options %j are rejected', (options, values) => {
  expectUsageError(() => httpDriver(options), ...values)
})
