import {
  expectError,
  expectFields,
  expectRejected,
  expectStatus,
  expectThat,
  readEnvelopes,
} from '../relay/expectations.js'
import { claimMessage, createDue, expectNoMessage } from '../relay/queue-steps.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import {
  createMessage,
  createSubscription,
  listenFor,
  listIds,
  readMessage,
  readSubscription,
  readWebhookId,
} from '../relay/steps.js'
import { encodeForm, type Fields } from '../relay/verify-http.js'

const section = '5'

const messageRequests: readonly (readonly [string, string, Fields])[] = [
  ['GET', '', {}],
  ['PATCH', '', { message: { message: 'mine now' } }],
  ['DELETE', '', {}],
  ['PUT', '/success', { parts: 1 }],
  ['PUT', '/failure', { error_message: 'no carrier' }],
]

async function listForBoth(relay: RelayUnderTest): Promise<readonly (readonly string[])[]> {
  const filter = { filter: 'all', count: 100 }
  return [await listIds(relay.api, filter), await listIds(relay.stranger, filter)]
}

/** docs/reference/interface.md 5, the last point */
export const ownershipRules: readonly Rule[] = [
  ...messageRequests.map(([method, tail, fields]) => ({
    section,
    title: `${method}${tail} of a message of another account is not_a_message.`,
    check: async (relay: RelayUnderTest) => {
      const { stranger } = relay
      const { id, ...before } = await createMessage(relay.api)
      const payload = method === 'GET' || method === 'DELETE' ? {} : encodeForm(fields)
      const reply = await stranger.call(method, `/message/${id}${tail}`, payload)
      expectError(reply, [404], 'not_a_message')
      expectFields(await readMessage(relay.api, id), before)
    },
  })),
  ...['GET', 'PATCH', 'DELETE'].map(method => ({
    section,
    title: `${method} of a subscription of another account is as if it did not exist.`,
    check: async (relay: RelayUnderTest) => {
      const { stranger } = relay
      const { id, ...before } = await createSubscription(relay.api)
      const edit = encodeForm({ event: 'message.failed', post: true })
      const payload = method === 'PATCH' ? edit : {}
      expectRejected(await stranger.call(method, `/subscription/${id}`, payload))
      expectFields(await readSubscription(relay.api, id), before)
    },
  })),
  {
    section,
    title: 'The list of messages has only those of the account.',
    check: async relay => {
      const theirs = await createMessage(relay.stranger)
      const mine = await createMessage(relay.api)
      const [own = [], foreign = []] = await listForBoth(relay)
      expectThat(own.includes(mine.id), `a list with message ${mine.id}`, own)
      expectThat(foreign.includes(theirs.id), `a list with message ${theirs.id}`, foreign)
      expectThat(!own.includes(theirs.id), `a list without message ${theirs.id}`, own)
      expectThat(!foreign.includes(mine.id), `a list without message ${mine.id}`, foreign)
    },
  },
  {
    section,
    title: 'The list of subscriptions has only those of the account.',
    check: async relay => {
      const { stranger } = relay
      const { id } = await createSubscription(relay.api)
      const theirs = await createSubscription(stranger)
      const reply = expectStatus(await stranger.get('/subscription'), 200)
      const list = readEnvelopes(reply, 'subscriptions', 'subscription')
      const ids = list.map(({ fields }) => fields.id)
      expectThat(ids.includes(theirs.id), `a list with subscription ${theirs.id}`, ids)
      expectThat(!ids.includes(id), `a list without subscription ${id}`, ids)
    },
  },
  {
    section,
    title: 'NEXT returns only messages of the account.',
    check: async relay => {
      const { strangerPhone } = relay
      const { id } = await createDue(relay)
      await expectNoMessage(strangerPhone)
      await claimMessage(relay.phone, id)
    },
  },
  {
    section,
    title: 'Webhooks are only about messages of the account.',
    check: async relay => {
      const { stranger } = relay
      const listener = await listenFor(relay, 'message.create')
      const theirs = await createMessage(stranger)
      const { id } = await createMessage(relay.api)
      const heard: unknown[] = []
      while (!heard.includes(id)) heard.push(readWebhookId(await listener.next()))
      expectThat(!heard.includes(theirs.id), `no webhook about message ${theirs.id}`, heard)
    },
  },
]
