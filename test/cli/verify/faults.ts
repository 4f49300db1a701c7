import type { Rule } from '../../../src/cli/verify/relay/rule.js'
import { selectRules } from '../../../src/cli/verify/rules/all-rules.js'
import { listRules } from '../../../src/cli/verify/rules/list-rules.js'
import { messageRules } from '../../../src/cli/verify/rules/message-rules.js'
import type { Fault, ProxyReply, ProxyRequest } from './faulty-relay.js'

export const isMessage = ({ target }: ProxyRequest): boolean =>
  /^\/api\/1\/message\/[^/]+$/.test(target)

/** Changes the JSON of a reply. */
function editBody(reply: ProxyReply, edit: (body: Record<string, object>) => void): void {
  const body = JSON.parse(reply.body)
  edit(body)
  reply.body = JSON.stringify(body)
}

export const ok: ProxyReply = { status: 200, headers: {}, body: '{}' }

/** How a relay breaks the interface, the rules to check, and those that fail. */
export const faults: readonly (readonly [string, readonly Rule[], Fault, readonly string[]])[] = [
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
    'shows failures of a message that was sent',
    selectRules(['3']),
    {
      onReply: reply => {
        if (reply.body.includes('"status":"S"'))
          reply.body = reply.body.replace('"failure_count":0', '"failure_count":4')
      },
    },
    ['A message with four failures can still be sent.'],
  ],
  [
    'shows another method in the list of subscriptions',
    selectRules(['4.3']),
    {
      onReply: (reply, { method, target }) => {
        if (method !== 'GET' || target !== '/api/1/subscription') return
        reply.body = reply.body.replaceAll('"method":"POST"', '"method":"PUT"')
      },
    },
    [
      'GET /subscription lists the subscriptions of the account.',
      'One event can have two subscriptions.',
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
