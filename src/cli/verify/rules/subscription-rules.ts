import {
  expectEqual,
  expectError,
  expectFields,
  expectMatch,
  expectRejected,
  expectStatus,
  expectSuccess,
  expectThat,
  isObject,
  readEnvelopes,
  readId,
  readObject,
} from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import { RuleFailure } from '../relay/rule-outcome.js'
import {
  createMessage,
  createSubscription,
  deadUrl,
  listenFor,
  missingId,
  readSubscription,
  readWebhookId,
} from '../relay/steps.js'
import type { Fields } from '../relay/verify-http.js'

const section = '4.3'
const event = 'message.failed'
const events = ['message.create', 'message.sent', 'message.failed', 'message.blocked']

async function readEvents(relay: RelayUnderTest): Promise<string[]> {
  const reply = expectStatus(await relay.api.get('/subscription/events'), 200)
  const list = isObject(reply.body) ? Object.values(reply.body).find(Array.isArray) : reply.body
  if (Array.isArray(list)) return list.map(item => (isObject(item) ? Object.values(item)[0] : item))
  throw new RuleFailure('a list of events', reply.text, reply.request)
}

async function listSubscriptions(relay: RelayUnderTest): Promise<Fields[]> {
  const reply = expectStatus(await relay.api.get('/subscription'), 200)
  return readEnvelopes(reply, 'subscriptions', 'subscription').map(({ fields }) => fields)
}

async function expectListed(relay: RelayUnderTest, created: readonly Fields[]): Promise<void> {
  const listed = await listSubscriptions(relay)
  for (const each of created) expectFields(listed.find(({ id }) => id === each.id) ?? {}, each)
}

async function expectNoEdit(relay: RelayUnderTest, fields: Fields): Promise<void> {
  const { id } = await createSubscription(relay.api, { event })
  const before = await readSubscription(relay.api, id)
  expectRejected(await relay.api.patch(`/subscription/${id}`, fields))
  expectFields(await readSubscription(relay.api, id), before)
}

/** docs/reference/interface.md 4.3 */
export const subscriptionRules: readonly Rule[] = [
  {
    section,
    title: 'GET /subscription/events lists the supported events.',
    check: async relay => {
      const listed = await readEvents(relay)
      const missing = events.filter(name => !listed.includes(name))
      expectThat(missing.length === 0, `a list with ${events.join(', ')}`, listed)
    },
  },
  {
    section,
    title: 'GET /subscription lists the subscriptions of the account.',
    check: async relay => {
      const first = await createSubscription(relay.api)
      const second = await createSubscription(relay.api, { event: 'message.sent' })
      await expectListed(relay, [first, second])
    },
  },
  {
    section,
    title: 'POST creates a subscription and returns its full envelope.',
    check: async relay => {
      const fields = { event, url: deadUrl, method: 'PUT', post: true }
      const reply = await relay.api.post('/subscription', fields)
      expectStatus(reply, 200, 201)
      const expected = { ...fields, stat_triggered: 0 }
      expectFields(readObject(reply, 'subscription'), expected, reply.request)
      readObject(reply, 'links')
      expectFields(await readSubscription(relay.api, readId(reply, 'subscription')), expected)
    },
  },
  ...events.map(name => ({
    section,
    title: `POST accepts the event ${name}.`,
    check: async (relay: RelayUnderTest) => {
      const { id } = await createSubscription(relay.api, { event: name })
      expectEqual((await readSubscription(relay.api, id)).event, name, 'event')
    },
  })),
  {
    section,
    title: 'POST without event or without url is rejected.',
    check: async relay => {
      expectRejected(await relay.api.post('/subscription', { url: deadUrl }))
      expectRejected(await relay.api.post('/subscription', { event }))
    },
  },
  {
    section,
    title: 'POST with an event that is not exactly one of the list is rejected.',
    check: async relay => {
      for (const name of ['', 'message', 'Message.create', 'message.create,message.sent']) {
        expectRejected(await relay.api.post('/subscription', { event: name, url: deadUrl }))
      }
    },
  },
  {
    section,
    title: 'One event can have two subscriptions.',
    check: async relay => {
      const [first, second] = [
        await createSubscription(relay.api),
        await createSubscription(relay.api),
      ]
      expectThat(first.id !== second.id, 'two identifiers', first.id)
      await expectListed(relay, [first, second])
    },
  },
  ...Object.entries({ url: 'https://example.com/elsewhere', method: 'NOTIFY', post: true }).map(
    ([name, value]) => ({
      section,
      title: `PATCH of ${name} changes only that.`,
      check: async (relay: RelayUnderTest) => {
        const { id } = await createSubscription(relay.api, { event })
        const before = await readSubscription(relay.api, id)
        const edit = { event, [name]: value }
        expectSuccess(await relay.api.patch(`/subscription/${id}`, edit))
        expectFields(await readSubscription(relay.api, id), { ...before, [name]: value })
      },
    }),
  ),
  {
    section,
    title: 'PATCH without the event is rejected.',
    check: async relay => await expectNoEdit(relay, { method: 'PUT' }),
  },
  {
    section,
    title: 'PATCH with another event than the stored one is 404 not_a_subscription.',
    check: async relay => {
      const { id } = await createSubscription(relay.api, { event })
      const edit = { event: 'message.sent', method: 'PUT' }
      const reply = await relay.api.patch(`/subscription/${id}`, edit)
      expectError(reply, [404], 'not_a_subscription')
    },
  },
  {
    section,
    title: 'PATCH with only the event is rejected.',
    check: async relay => await expectNoEdit(relay, { event }),
  },
  {
    section,
    title: 'PATCH with an invalid value is rejected and changes nothing.',
    check: async relay => {
      await expectNoEdit(relay, { event, url: 'ftp://example.com/' })
      await expectNoEdit(relay, { event, post: true, method: 'A B' })
    },
  },
  {
    section,
    title: 'Webhooks go to the edited url.',
    check: async relay => {
      const { subscriptionId } = await listenFor(relay, 'message.create')
      const other = await relay.inbox.open()
      const edit = { event: 'message.create', url: `${other.url}/moved` }
      expectSuccess(await relay.api.patch(`/subscription/${subscriptionId}`, edit))
      const { id } = await createMessage(relay.api)
      const webhook = await other.next()
      expectEqual(readWebhookId(webhook), id, 'webhook at the new url for')
      expectMatch(webhook.url, /\/moved$/, 'a request')
    },
  },
  {
    section,
    title: 'DELETE removes a subscription.',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      expectSuccess(await relay.api.delete(`/subscription/${id}`))
      expectStatus(await relay.api.get(`/subscription/${id}`), 400, 404)
      const ids = (await listSubscriptions(relay)).map(each => each.id)
      expectThat(!ids.includes(id), `a list without subscription ${id}`, ids)
    },
  },
  {
    section,
    title: 'A second DELETE of a subscription is 400 or 404.',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      expectSuccess(await relay.api.delete(`/subscription/${id}`))
      expectStatus(await relay.api.delete(`/subscription/${id}`), 400, 404)
    },
  },
  {
    section,
    title: 'A deleted subscription can be created again.',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      expectSuccess(await relay.api.delete(`/subscription/${id}`))
      const again = await createSubscription(relay.api)
      expectThat(again.id !== id, 'another identifier', id)
    },
  },
  {
    section,
    title: 'A deleted subscription gets no more webhooks.',
    check: async relay => {
      const gone = await listenFor(relay, 'message.create', { method: 'GONE' })
      const kept = await listenFor(relay, 'message.create', { method: 'KEPT' })
      const path = `/subscription/${gone.subscriptionId}`
      expectSuccess(await relay.api.delete(path))
      const { id } = await createMessage(relay.api)
      while (readWebhookId(await kept.next()) !== id);
      expectEqual(gone.address.count, 0, 'webhooks of the deleted subscription:')
    },
  },
  {
    section,
    title: 'GET of a wrong subscription id is not_a_subscription or invalid_parameter.',
    check: async relay => {
      for (const id of [missingId, 'nonsense']) {
        const reply = await relay.api.get(`/subscription/${id}`)
        const code = reply.status === 400 ? 'invalid_parameter' : 'not_a_subscription'
        expectError(reply, [400, 404], code)
      }
    },
  },
  {
    section: '9',
    title: 'Every event of GET /subscription/events can be subscribed to.',
    check: async relay => {
      for (const name of await readEvents(relay)) {
        const { event: stored } = await createSubscription(relay.api, { event: name })
        expectEqual(stored, name, 'event')
      }
    },
  },
]
