import { expect, onTestFinished, test } from 'vitest'
import type { Rule } from '../../../src/cli/verify/relay/rule.js'
import { selectRules } from '../../../src/cli/verify/rules/all-rules.js'
import { listRules } from '../../../src/cli/verify/rules/list-rules.js'
import { messageRules } from '../../../src/cli/verify/rules/message-rules.js'
import { openRelayUnderTest, type RuleResult, runRules } from '../../../src/cli/verify/run-rules.js'
import { createDue, read } from '../../conformance/acts.js'
import { useCallers } from '../../conformance/calls.js'
import { type Fault, type ProxyReply, type ProxyRequest, startFaultyRelay } from './faulty-relay.js'

const at = useCallers()

async function verify(rules: readonly Rule[], fault: Fault): Promise<RuleResult[]> {
  const url = await startFaultyRelay(at.baseUrl, fault)
  const { secret_key: secretKey, api_key: apiKey, app_key: appKey } = at.owner
  const keys = { secretKey, apiKey, appKey }
  const inbox = { host: '127.0.0.1', port: 0, wait: 5000 }
  const relay = await openRelayUnderTest(
    { url, keys, timeout: 10_000, inbox },
    new AbortController().signal,
  )
  onTestFinished(async () => {
    await relay.close(AbortSignal.timeout(10_000))
  })
  const results: RuleResult[] = []
  for await (const result of runRules(relay, rules)) results.push(result)
  return results
}

const isMessage = ({ target }: ProxyRequest): boolean => /^\/api\/1\/message\/[^/]+$/.test(target)

/** Changes the JSON of a reply. */
function editBody(reply: ProxyReply, edit: (body: Record<string, object>) => void): void {
  const body = JSON.parse(reply.body)
  edit(body)
  reply.body = JSON.stringify(body)
}

const ok: ProxyReply = { status: 200, headers: {}, body: '{}' }

const faults: readonly (readonly [string, readonly Rule[], Fault, readonly string[]])[] = [
  [
    'returns the text of an edited message',
    messageRules,
    {
      onReply: (reply, request) => {
        if (request.method !== 'PATCH' || !isMessage(request) || reply.status !== 200) return
        editBody(reply, ({ message }) => Object.assign(message ?? {}, { message: 'text' }))
      },
    },
    ['PATCH returns an envelope with only the id.'],
  ],
  [
    'adds links to the reply of DELETE',
    messageRules,
    {
      onReply: (reply, { method }) => {
        if (method !== 'DELETE' || reply.status !== 200) return
        editBody(reply, body => Object.assign(body, { links: {} }))
      },
    },
    ['DELETE returns an envelope with only the id and no links.'],
  ],
  [
    'ignores the order of a list',
    listRules,
    {
      onRequest: request => {
        request.target = request.target.replace('%22asc%22', '%22desc%22')
        return undefined
      },
    },
    [
      'order asc lists the first message first.',
      'With order asc and filter all, a new message does not change the list.',
    ],
  ],
  [
    'accepts a count above 100',
    listRules,
    {
      onRequest: request => {
        request.target = request.target.replace('%22count%22%3A101', '%22count%22%3A100')
        return undefined
      },
    },
    ['count is 1 to 100.'],
  ],
  [
    'answers a success report without storing it',
    selectRules(['3']),
    {
      onRequest: ({ method, target }) =>
        method === 'PUT' && target.endsWith('/success') ? ok : undefined,
    },
    [
      'A success report takes a message from N to S.',
      'A success report takes a message from E to S.',
      'A message with four failures can still be sent.',
      'DELETE removes a message in S.',
      'A message in S cannot be edited.',
      'S is final: a failure report does not change it.',
    ],
  ],
  [
    'revokes no token',
    selectRules(['4.1']),
    { onRequest: ({ target }) => (target.startsWith('/oauth/revoke') ? ok : undefined) },
    [
      'GET /oauth/revoke with the token in the query revokes it.',
      'POST /oauth/revoke with the token in the body revokes it.',
    ],
  ],
  [
    'answers 401 in place of 403',
    selectRules(['4.4']),
    {
      onReply: reply => {
        if (reply.status === 403) reply.status = 401
      },
    },
    ['GET /user/app with another token is 403.'],
  ],
  [
    'edits a subscription without its event',
    selectRules(['4.3']),
    {
      onRequest: request => {
        if (request.method !== 'PATCH' || request.body.includes('event=')) return undefined
        request.body += '&event=message.failed'
        return undefined
      },
    },
    ['PATCH without the event is rejected.'],
  ],
  [
    'shows at most four failures',
    selectRules(['2.2']),
    {
      onReply: reply => {
        reply.body = reply.body.replace('"failure_count":5', '"failure_count":4')
      },
    },
    ['failure_count is 5 when the message is Failed.'],
  ],
  [
    'sends webhooks without X-Hook-From',
    selectRules(['6']),
    {
      onWebhook: webhook => {
        delete webhook.headers['x-hook-from']
      },
    },
    ['Every webhook has the same header X-Hook-From.'],
  ],
  [
    'sends the status in a webhook',
    selectRules(['6']),
    {
      onWebhook: webhook => {
        webhook.body = webhook.body.replace('"}}', '","status":"N"}}')
      },
    },
    ['A webhook holds only the id of the message.'],
  ],
]

test.each(faults)(
  'a relay that %s fails only the rules about that',
  { timeout: 60_000 },
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
