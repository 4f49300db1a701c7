import {
  type Envelope,
  expectEqual,
  expectFields,
  expectStatus,
  expectSuccess,
  expectThat,
  isObject,
  readEnvelopes,
  readObject,
} from '../relay/expectations.js'
import { claimMessage, createDue } from '../relay/queue-steps.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import { RuleFailure } from '../relay/rule-outcome.js'
import {
  createMessage,
  createSubscription,
  createText,
  expectLetter,
  readMessage,
  readSubscription,
} from '../relay/steps.js'
import {
  encodeForm,
  type Fields,
  type VerifyCaller,
  type VerifyReply,
} from '../relay/verify-http.js'

const section = '2.1'

const messageLinks = {
  list: 'GET',
  next: 'NEXT',
  new: 'POST',
  get: 'GET',
  edit: 'PATCH',
  delete: 'DELETE',
  success: 'PUT',
  failure: 'PUT',
}
const subscriptionLinks = {
  events: 'GET',
  list: 'GET',
  new: 'POST',
  get: 'GET',
  edit: 'PATCH',
  delete: 'DELETE',
}

function expectLinks(links: Fields, methods: Readonly<Record<string, string>>): void {
  for (const [name, method] of Object.entries(methods)) {
    const link = links[name]
    const isComplete = isObject(link) && link.method === method && typeof link.url === 'string'
    expectThat(isComplete, `links.${name} with the method ${method} and a url`, link)
  }
}

function expectListed(list: readonly Envelope[], id: string): void {
  const ids = list.map(({ fields }) => fields.id)
  expectThat(ids.includes(id), `a list with ${id}`, ids)
}

async function followLink(
  relay: RelayUnderTest,
  caller: VerifyCaller,
  reply: VerifyReply,
  name: string,
  fields?: Fields,
): Promise<VerifyReply> {
  const link = readObject(reply, 'links')[name]
  if (!isObject(link) || typeof link.method !== 'string' || typeof link.url !== 'string') {
    throw new RuleFailure(`links.${name} {method, url}`, JSON.stringify(link) ?? 'nothing')
  }
  const url = new URL(link.url, relay.url).href
  return await caller.follow(link.method, url, fields === undefined ? {} : encodeForm(fields))
}

/** docs/reference/interface.md 2.1 */
export const envelopeRules: readonly Rule[] = [
  {
    section,
    title: 'A reply holds a message under "message", and its links under "links".',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const reply = expectStatus(await relay.api.get(`/message/${id}`), 200)
      expectEqual(readObject(reply, 'message').id, id, 'message.id')
      readObject(reply, 'links')
    },
  },
  {
    section,
    title: 'A reply holds a subscription under "subscription", and its links under "links".',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      const reply = expectStatus(await relay.api.get(`/subscription/${id}`), 200)
      expectEqual(readObject(reply, 'subscription').id, id, 'subscription.id')
      readObject(reply, 'links')
    },
  },
  {
    section,
    title: 'A reply holds the user under "user", and links under "links".',
    check: async relay => {
      const reply = expectStatus(await relay.api.get('/user'), 200)
      readObject(reply, 'user')
      readObject(reply, 'links')
    },
  },
  {
    section,
    title: 'A new message has eight links, each with a method and a url.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      expectLinks(readObject(await relay.api.get(`/message/${id}`), 'links'), messageLinks)
    },
  },
  {
    section,
    title: 'A subscription has six links, each with a method and a url.',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      const reply = await relay.api.get(`/subscription/${id}`)
      expectLinks(readObject(reply, 'links'), subscriptionLinks)
    },
  },
  {
    section,
    title: 'A list of messages is an array of envelopes under "messages".',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const reply = await relay.api.get('/message')
      expectListed(readEnvelopes(reply, 'messages', 'message'), id)
    },
  },
  {
    section,
    title: 'A list of subscriptions is an array of envelopes under "subscriptions".',
    check: async relay => {
      const { id } = await createSubscription(relay.api)
      const reply = await relay.api.get('/subscription')
      expectListed(readEnvelopes(reply, 'subscriptions', 'subscription'), id)
    },
  },
  {
    section,
    title: 'The links of a message read, edit and delete it, and list messages.',
    check: async relay => {
      const { api } = relay
      const { id } = await createMessage(api)
      const reply = await api.get(`/message/${id}`)
      const text = createText()
      expectSuccess(await followLink(relay, api, reply, 'edit', { message: { message: text } }))
      expectEqual((await readMessage(api, id)).message, text, 'the edited text')
      const read = await followLink(relay, api, reply, 'get')
      expectFields(readObject(read, 'message'), { id, message: text }, read.request)
      const list = await followLink(relay, api, reply, 'list')
      expectListed(readEnvelopes(list, 'messages', 'message'), id)
      expectSuccess(await followLink(relay, api, reply, 'delete'))
      expectStatus(await api.get(`/message/${id}`), 404)
    },
  },
  {
    section,
    title: 'The links "success" and "failure" of a message report on it.',
    check: async relay => {
      const { api } = relay
      const { id } = await createMessage(api)
      const reply = await api.get(`/message/${id}`)
      const failure = { error_message: 'no carrier' }
      expectSuccess(await followLink(relay, api, reply, 'failure', failure))
      await expectLetter(relay, id, 'E')
      expectSuccess(await followLink(relay, api, reply, 'success', { parts: 1 }))
      await expectLetter(relay, id, 'S')
    },
  },
  {
    section,
    title: 'NEXT returns the message with its links, and the link "next" is NEXT.',
    check: async relay => {
      const { id } = await createDue(relay)
      const reply = await relay.api.get(`/message/${id}`)
      const claimed = await followLink(relay, relay.phone, reply, 'next')
      expectEqual(readObject(claimed, 'message').id, id, 'message.id')
      expectLinks(readObject(claimed, 'links'), messageLinks)
      await claimMessage(relay.phone, id)
      expectSuccess(await followLink(relay, relay.phone, claimed, 'success', { parts: 1 }))
      await expectLetter(relay, id, 'S')
    },
  },
  {
    section,
    title: 'The links of a subscription read, edit and delete it, and list events.',
    check: async relay => {
      const { api } = relay
      const { id, event } = await createSubscription(api)
      const reply = await api.get(`/subscription/${id}`)
      expectSuccess(await followLink(relay, api, reply, 'edit', { event, method: 'PUT' }))
      expectEqual((await readSubscription(api, id)).method, 'PUT', 'the edited method')
      const read = await followLink(relay, api, reply, 'get')
      expectFields(readObject(read, 'subscription'), { id, method: 'PUT' }, read.request)
      const events = expectSuccess(await followLink(relay, api, reply, 'events'))
      expectThat(events.text.includes(String(event)), `a list with ${event}`, events.text)
      const list = await followLink(relay, api, reply, 'list')
      expectListed(readEnvelopes(list, 'subscriptions', 'subscription'), id)
      expectSuccess(await followLink(relay, api, reply, 'delete'))
      expectStatus(await api.get(`/subscription/${id}`), 400, 404)
    },
  },
]
