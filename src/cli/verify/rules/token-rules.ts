import {
  expectError,
  expectRejected,
  expectStatus,
  expectSuccess,
  expectThat,
  isObject,
} from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import { RuleFailure } from '../relay/rule-outcome.js'
import { draftMessage, missingId } from '../relay/steps.js'
import { encodeBasic, encodeForm, VerifyCaller, type VerifyReply } from '../relay/verify-http.js'

const hour = 3_600_000

const operations: readonly (readonly [string, string])[] = [
  ['GET', '/message'],
  ['NEXT', '/message'],
  ['GET', '/message/next'],
  ['POST', '/message'],
  ['GET', `/message/${missingId}`],
  ['PATCH', `/message/${missingId}`],
  ['DELETE', `/message/${missingId}`],
  ['PUT', `/message/${missingId}/success`],
  ['PUT', `/message/${missingId}/failure`],
  ['GET', '/subscription/events'],
  ['GET', '/subscription'],
  ['POST', '/subscription'],
  ['GET', `/subscription/${missingId}`],
  ['PATCH', `/subscription/${missingId}`],
  ['DELETE', `/subscription/${missingId}`],
  ['GET', '/user'],
  ['GET', '/user/app'],
]

async function issueToken(relay: RelayUnderTest): Promise<VerifyCaller> {
  const { secretKey, apiKey } = relay.target.keys
  const reply = expectStatus(await relay.signIn(secretKey, apiKey), 200)
  const token = isObject(reply.body) ? reply.body.access_token : undefined
  if (typeof token === 'string') return new VerifyCaller(relay.http, relay.url, token)
  throw new RuleFailure('an access_token', reply.text, reply.request)
}

async function revoke(relay: RelayUnderTest, { token }: VerifyCaller): Promise<VerifyReply> {
  const url = `${relay.url}/oauth/revoke?token=${encodeURIComponent(token)}`
  return expectSuccess(await relay.http.send('GET', url))
}

async function expectSignIn(relay: RelayUnderTest, authorization: string): Promise<void> {
  const reply = await relay.http.send('GET', `${relay.url}/oauth`, { headers: { authorization } })
  expectStatus(reply, 200)
}

/** docs/reference/interface.md 4, 4.1 and 5.1 to 5.5 */
export const tokenRules: readonly Rule[] = [
  {
    section: '4',
    title: 'Every operation below /api/1 needs a bearer token.',
    check: async relay => {
      for (const [method, path] of operations) {
        expectRejected(await relay.http.send(method, `${relay.url}/api/1${path}`))
      }
    },
  },
  {
    section: '4',
    title: 'Parameters of POST and PATCH are POST-style fields in the body.',
    check: async relay => {
      const message = draftMessage({ message: 'Grüße, 你好 & 👋🏽 + 100 %' })
      expectStatus(await relay.api.post('/message', { message }), 200, 201)
    },
  },
  {
    section: '4',
    title: 'A reply below /api/1 is JSON.',
    check: async relay => {
      for (const path of ['/message', '/subscription', '/subscription/events', '/user']) {
        const reply = expectStatus(await relay.api.get(path), 200)
        expectThat(isObject(reply.body) || Array.isArray(reply.body), 'JSON', reply.text)
      }
    },
  },
  {
    section: '4.1',
    title: 'GET /oauth accepts the secret key and the API key.',
    check: async relay => {
      await (await issueToken(relay)).get('/user').then(reply => expectStatus(reply, 200))
    },
  },
  {
    section: '4.1',
    title: 'GET /oauth accepts the application key in place of the API key.',
    check: async relay => {
      void relay.phone
      const { secretKey, appKey = '' } = relay.target.keys
      await expectSignIn(relay, encodeBasic(secretKey, appKey))
    },
  },
  {
    section: '4.1',
    title: 'GET /oauth rejects a wrong key.',
    check: async relay => {
      const { secretKey, apiKey } = relay.target.keys
      expectRejected(await relay.signIn(secretKey, `${apiKey}x`))
      expectRejected(await relay.signIn(`${secretKey}x`, apiKey))
      expectRejected(await relay.http.send('GET', `${relay.url}/oauth`))
    },
  },
  {
    section: '4.1',
    title: 'GET /oauth/revoke with the token in the query revokes it.',
    check: async relay => {
      const caller = await issueToken(relay)
      expectStatus(await caller.get('/user'), 200)
      await revoke(relay, caller)
      expectRejected(await caller.get('/user'))
    },
  },
  {
    section: '4.1',
    title: 'POST /oauth/revoke with the token in the body revokes it.',
    check: async relay => {
      const caller = await issueToken(relay)
      const payload = encodeForm({ token: caller.token })
      expectSuccess(await relay.http.send('POST', `${relay.url}/oauth/revoke`, payload))
      expectRejected(await caller.get('/user'))
    },
  },
  {
    section: '4.1',
    title: 'Other tokens stay valid when one is revoked.',
    check: async relay => {
      const [gone, kept] = [await issueToken(relay), await issueToken(relay)]
      await revoke(relay, gone)
      for (const caller of [kept, await issueToken(relay)]) {
        expectStatus(await caller.get('/user'), 200)
      }
    },
  },
  {
    section: '5',
    title: 'Credentials are the base64 of secret key, colon and API key.',
    check: async relay => {
      const { secretKey, apiKey } = relay.target.keys
      const credentials = Buffer.from(`${secretKey}:${apiKey}`).toString('base64')
      await expectSignIn(relay, `Basic ${credentials}`)
    },
  },
  {
    section: '5',
    title: 'The bearer header has the token unchanged; an altered token is rejected.',
    check: async relay => {
      const caller = await issueToken(relay)
      expectStatus(await caller.get('/user'), 200)
      for (const token of [
        `${caller.token}x`,
        caller.token.slice(0, -1),
        relay.target.keys.apiKey,
      ]) {
        expectRejected(await new VerifyCaller(relay.http, relay.url, token).get('/user'))
      }
    },
  },
  {
    section: '5',
    title: 'A new token can be requested at any time; earlier ones stay valid.',
    check: async relay => {
      const first = await issueToken(relay)
      const second = await issueToken(relay)
      expectThat(first.token !== second.token, 'two tokens', 'one token')
      for (const caller of [first, second]) expectStatus(await caller.get('/user'), 200)
    },
  },
  {
    section: '5',
    title: 'Each request extends the lifetime of a token; without requests it ends.',
    needsClock: true,
    check: async relay => {
      const caller = await issueToken(relay)
      for (let n = 0; n < 3; n++) {
        await relay.moveClock(7 * hour)
        expectStatus(await caller.get('/user'), 200)
      }
      await relay.moveClock(9 * hour)
      expectRejected(await caller.get('/user'))
      await relay.signInAll()
    },
  },
  {
    section: '5',
    title: 'A token of the application key is not accepted for everything.',
    check: async relay => {
      expectRejected(await relay.phone.get('/user/app'))
      expectRejected(await relay.phone.get('/subscription'))
    },
  },
  {
    section: '5',
    title: 'NEXT needs a token of the application key.',
    check: async relay => {
      expectRejected(await relay.api.next())
      expectRejected(await relay.api.get('/message/next'))
      const reply = await relay.phone.get(`/message/${missingId}`)
      expectError(reply, [404], 'not_a_message')
    },
  },
]
