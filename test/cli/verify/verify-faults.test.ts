import { expect, onTestFinished, test } from 'vitest'
import type { VerifyTarget } from '../../../src/cli/verify/relay/relay-under-test.js'
import type { Rule } from '../../../src/cli/verify/relay/rule.js'
import { allRules, selectRules } from '../../../src/cli/verify/rules/all-rules.js'
import { openRelayUnderTest, type RuleResult, runRules } from '../../../src/cli/verify/run-rules.js'
import { createDue, read } from '../../conformance/acts.js'
import { useCallers } from '../../conformance/calls.js'
import { faults, isMessage, ok } from './faults.js'
import { type Fault, type ProxyReply, type ProxyRequest, startFaultyRelay } from './faulty-relay.js'

const at = useCallers()

async function verify(
  rules: readonly Rule[],
  fault: Fault,
  more: Partial<VerifyTarget> = {},
): Promise<RuleResult[]> {
  const url = await startFaultyRelay(at.baseUrl, fault)
  const { secret_key: secretKey, api_key: apiKey, app_key: appKey } = at.owner
  const keys = { secretKey, apiKey, appKey }
  const inbox = { host: '127.0.0.1', port: 0, wait: 20_000 }
  const relay = await openRelayUnderTest(
    { url, keys, timeout: 30_000, failureTime: 60_000, inbox, ...more },
    new AbortController().signal,
  )
  onTestFinished(async () => {
    await relay.close(AbortSignal.timeout(30_000))
  })
  const results: RuleResult[] = []
  for await (const result of runRules(relay, rules)) results.push(result)
  return results
}

test.each(faults)(
  'a relay that %s fails only the rules about that',
  async (_, rules, fault, failed) => {
    const results = await verify(rules, fault)
    const found = results.filter(({ result }) => result === 'fail').map(({ rule }) => rule)
    expect(found).toEqual(failed)
  },
)

test('a failed rule shows the request, and what was expected and received', async () => {
  const onReply = (reply: ProxyReply): void => {
    if (reply.status === 403) reply.status = 401
  }
  const results = await verify(selectRules(['4.4']), { onReply })
  expect(results.find(({ result }) => result === 'fail')).toMatchObject({
    section: '4.4',
    sent: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/api\/1\/user\/app$/),
    expected: 'status 403',
    got: expect.stringContaining('status 401: {"error":"insufficient_scope"'),
  })
})

test('keys and tokens are hidden in the results', async () => {
  const results = await verify(selectRules(['4.1']), {
    onReply: (reply, { target }) => {
      if (target.startsWith('/oauth/revoke')) reply.status = 500
    },
  })
  const text = JSON.stringify(results)
  expect(text).toContain('token=[hidden]')
  for (const key of [at.owner.secret_key, at.owner.api_key]) expect(text).not.toContain(key)
})

test('a key of one letter is hidden only where it is a key', async () => {
  const keys = { secretKey: 'a', apiKey: 'e', appKey: 'status' }
  const otherKeys = { secretKey: 'i', apiKey: 'o' }
  const onRequest = (request: ProxyRequest): undefined => {
    const { secret_key, api_key, app_key } = at.owner
    const given = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
    const pairs: Record<string, string> = { 'a:e': api_key, 'a:status': app_key }
    const key = pairs[given]
    if (key === undefined) return
    const login = Buffer.from(`${secret_key}:${key}`).toString('base64')
    request.headers.authorization = `Basic ${login}`
  }
  const onReply = (reply: ProxyReply): void => {
    if (reply.status === 403) Object.assign(reply, { status: 401, body: '{"secret_key":"a"}' })
  }
  const results = await verify(selectRules(['4.4']), { onRequest, onReply }, { keys, otherKeys })
  expect(results.find(({ result }) => result === 'fail')).toMatchObject({
    sent: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/api\/1\/user\/app$/),
    expected: 'status 403',
    got: 'status 401: {"secret_key":"[hidden]"}',
  })
})

/** Replies that are wrong in a way that costs time. */
const slowFaults: [string, Fault][] = [
  [
    'sends one object for everything',
    { onRequest: answerAfterSignIn({ status: 200, body: '{}' }) },
  ],
  ['has an error for everything', { onRequest: answerAfterSignIn({ status: 500, body: '' }) }],
  ['sends one webhook', { onWebhook: loseAllButOne() }],
  ['ends every connection', { onRequest: answerAfterSignIn(undefined) }],
]

function loseAllButOne(): (webhook: ProxyRequest) => void {
  let count = 0
  return webhook => {
    count += 1
    if (count > 1) webhook.target = '/nowhere'
  }
}

function answerAfterSignIn(reply: { status: number; body: string } | undefined) {
  return ({ target }: ProxyRequest): ProxyReply | undefined => {
    if (target.startsWith('/oauth')) return undefined
    if (reply === undefined) throw new Error('The connection is closed.')
    return { headers: { 'content-type': 'application/json' }, ...reply }
  }
}

test.each(slowFaults)('a server that %s has failures, and ends soon', async (_, fault) => {
  const inbox = { host: '127.0.0.1', port: 0, wait: 1000 }
  const started = performance.now()
  const results = await verify(allRules, fault, { failureTime: 5000, inbox })
  expect(performance.now() - started).toBeLessThan(60_000)
  expect(results).toHaveLength(allRules.length)
  expect(results.find(({ result }) => result === 'fail')).toMatchObject({
    sent: expect.stringMatching(/./),
    expected: expect.stringMatching(/./),
    got: expect.stringMatching(/./),
  })
})

test('rules of NEXT are skipped while the account has due messages of others', async () => {
  const { id } = await createDue(at.api)
  onTestFinished(async () => {
    await at.api.delete(`/message/${id}`)
  })
  const results = await verify(selectRules(['1']), {})
  const reason = 'the account has messages that are due: use an account of its own'
  const skipped = results.filter(each => each.reason === reason).map(({ rule }) => rule)
  expect(skipped).toHaveLength(3)
  expect((await read(at.api, id)).status).toBe('N')
})

test('rules of NEXT are skipped while another phone takes the messages', async () => {
  const results = await verify(selectRules(['1']), {
    onRequest: ({ method, target }) => {
      if (method === 'NEXT') return { ...ok, status: 404, body: '{"error":"not_a_message"}' }
      if (method === 'GET' && isMessage({ method, target, headers: {}, body: '' })) {
        const message = { id: target.split('/').at(-1), status: 'S' }
        return { ...ok, body: JSON.stringify({ message, links: {} }) }
      }
      return undefined
    },
  })
  const reasons = results.filter(({ result }) => result === 'skipped').map(each => each.reason)
  expect(reasons).toEqual(Array(3).fill(expect.stringContaining('something else reports')))
})

test('a relay that stops answering is reported after three rules', async () => {
  let requests = 0
  const results = await verify(selectRules(['2.2']), {
    onRequest: () => {
      requests += 1
      if (requests > 12) throw new Error('cut off')
      return undefined
    },
  })
  const unanswered = results.filter(({ got }) => got?.startsWith('no reply') === true)
  expect(unanswered).toHaveLength(3)
  expect(results.at(-1)).toMatchObject({
    result: 'skipped',
    reason: 'the relay does not answer any more',
  })
})
