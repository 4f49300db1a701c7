import type { IncomingWebhook } from '../../hook/webhook-receiver.js'
import { expectEqual, expectFields, expectMatch, expectThat } from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import {
  blockNumber,
  createInState,
  createMessage,
  failTimes,
  listenFor,
  pickTestNumber,
  readMessage,
  readSubscription,
  readWebhookId,
  reportSent,
  requireWebhooks,
} from '../relay/steps.js'
import { encodeBasic, type Fields } from '../relay/verify-http.js'

const section = '6'
/** Milliseconds in which a webhook is sent. */
const maxLatency = 120_000

interface FiredWebhook {
  readonly id: string
  readonly message: Fields
  readonly webhook: IncomingWebhook
}

async function fire(relay: RelayUnderTest, fields: Fields = {}, tail = ''): Promise<FiredWebhook> {
  const listener = await listenFor(relay, 'message.create', fields, tail)
  const message = await createMessage(relay.api)
  return { id: message.id, message, webhook: await listener.next() }
}

async function expectFired(
  relay: RelayUnderTest,
  event: string,
  step: () => Promise<string>,
): Promise<void> {
  const listener = await listenFor(relay, event)
  const id = await step()
  const heard: unknown[] = [readWebhookId(await listener.next())]
  expectThat(heard.includes(id), `a webhook of ${event} for message ${id}`, heard)
}

function getQuery({ url }: IncomingWebhook): string {
  return url.slice(url.indexOf('?') + 1)
}

/** docs/reference/interface.md 6 */
export const eventRules: readonly Rule[] = [
  {
    section,
    title: 'A webhook is sent within two minutes of its event.',
    check: async relay => {
      const address = await relay.inbox.open()
      const fields = { event: 'message.create', url: address.url, post: true }
      const { status } = await relay.api.post('/subscription', fields)
      // A relay may refuse addresses that are not public; then all rules of webhooks are skipped.
      if (status >= 300) await requireWebhooks(relay)
      const start = performance.now()
      await createMessage(relay.api)
      await address.next()
      const seconds = Math.round((performance.now() - start) / 1000)
      expectThat(seconds * 1000 <= maxLatency, 'a webhook within 120 s', `${seconds} s`)
    },
  },
  {
    section,
    title: 'message.create fires when a message is added.',
    check: async relay =>
      await expectFired(relay, 'message.create', async () => (await createMessage(relay.api)).id),
  },
  {
    section,
    title: 'message.sent fires when a message was sent.',
    check: async relay =>
      await expectFired(relay, 'message.sent', async () => await createInState(relay, 'S')),
  },
  {
    section,
    title: 'message.failed fires after five attempts, and not before.',
    check: async relay =>
      await expectFired(relay, 'message.failed', async () => {
        const { id } = await createMessage(relay.api)
        await failTimes(relay.api, id, 4)
        return await createInState(relay, 'F')
      }),
  },
  {
    section,
    title: 'message.blocked fires when the Do Not Text list blocks a message.',
    check: async relay =>
      await expectFired(relay, 'message.blocked', async () => await createInState(relay, 'B')),
  },
  {
    section,
    title: 'message.blocked fires when a waiting message is blocked.',
    check: async relay =>
      await expectFired(relay, 'message.blocked', async () => {
        const destination = pickTestNumber()
        const { id } = await createMessage(relay.api, { destination })
        await blockNumber(relay, destination)
        return id
      }),
  },
  {
    section,
    title: 'The webhooks of a subscription are sent in the order of their events.',
    check: async relay => {
      const listener = await listenFor(relay, 'message.sent')
      const ids: unknown[] = []
      for (let n = 0; n < 4; n++) ids.unshift((await createMessage(relay.api)).id)
      for (const id of ids) await reportSent(relay.api, String(id))
      const heard: unknown[] = []
      while (heard.length < ids.length) heard.push(readWebhookId(await listener.next()))
      expectEqual(heard, ids, 'webhooks for')
    },
  },
  {
    section,
    title: 'Two subscriptions to one event both get a webhook.',
    check: async relay => {
      const first = await listenFor(relay, 'message.create')
      const second = await listenFor(relay, 'message.create')
      const { id } = await createMessage(relay.api)
      expectEqual(readWebhookId(await first.next()), id, 'the first webhook for')
      expectEqual(readWebhookId(await second.next()), id, 'the second webhook for')
    },
  },
  {
    section,
    title: 'A webhook uses the method of the subscription; the default is POST.',
    check: async relay => {
      expectEqual((await fire(relay)).webhook.method, 'POST', 'method')
      for (const method of ['PUT', 'GET', 'NOTIFY', 'NoTify']) {
        expectEqual((await fire(relay, { method })).webhook.method, method, 'method')
      }
    },
  },
  {
    section,
    title: 'A webhook requests the path and query of the url.',
    check: async relay => {
      const { webhook } = await fire(relay, { post: true }, '/a%20b?c=d&e=%5B1%5D')
      expectMatch(webhook.url, /\/a%20b\?c=d&e=%5B1%5D$/, 'a request')
    },
  },
  {
    section,
    title: 'A webhook sends the login of the url as Basic authorization.',
    check: async relay => {
      await requireWebhooks(relay)
      const address = await relay.inbox.open()
      const url = address.url.replace('://', '://user:p%40ss@')
      const fields = { event: 'message.create', url, post: true }
      await relay.api.post('/subscription', fields)
      await createMessage(relay.api)
      const { authorization } = (await address.next()).headers
      expectEqual(authorization, encodeBasic('user', 'p@ss'), 'the field Authorization')
    },
  },
  {
    section,
    title: 'With post the body is JSON with its content type and length.',
    check: async relay => {
      const { id, webhook } = await fire(relay, { post: true })
      const { headers, body } = webhook
      expectEqual(readWebhookId(webhook), id, 'a JSON body with message.id')
      expectMatch(headers['content-type'], /^application\/json\b/, 'the content type')
      expectEqual(headers['content-length'], String(Buffer.byteLength(body)), 'Content-Length')
    },
  },
  {
    section,
    title: 'Without post the id is in the query, with encoded brackets.',
    check: async relay => {
      const { id, webhook } = await fire(relay, { post: false })
      expectEqual(getQuery(webhook), `message%5Bid%5D=${id}`, 'the query')
      const { id: next, webhook: second } = await fire(relay, { post: false }, '?a=b')
      expectEqual(getQuery(second), `a=b&message%5Bid%5D=${next}`, 'the query')
    },
  },
  {
    section,
    title: 'Without post the content type is text/plain and the body is empty.',
    check: async relay => {
      const { webhook } = await fire(relay, { post: false })
      expectMatch(webhook.headers['content-type'], /^text\/plain\b/, 'the content type')
      expectEqual(webhook.body, '', 'a body')
      expectEqual(webhook.headers['content-length'], '0', 'Content-Length')
    },
  },
  {
    section,
    title: 'Every webhook has the same header X-Hook-From.',
    check: async relay => {
      const first = (await fire(relay, { post: true })).webhook.headers['x-hook-from']
      const second = (await fire(relay, { post: false })).webhook.headers['x-hook-from']
      expectMatch(first, /\S/, 'the field X-Hook-From')
      expectEqual(second, first, 'the field X-Hook-From')
    },
  },
  {
    section,
    title: 'A webhook holds only the id of the message.',
    check: async relay => {
      const { id, webhook } = await fire(relay, { post: true })
      const body: unknown = JSON.parse(webhook.body)
      expectEqual(body, { message: { id } }, 'the body')
    },
  },
  {
    section,
    title: 'The message of a webhook can be fetched with GET.',
    check: async relay => {
      const { message, webhook } = await fire(relay, { post: true })
      const fetched = await readMessage(relay.api, String(readWebhookId(webhook)))
      expectFields(fetched, { ...message, status: 'N' })
    },
  },
  {
    section,
    title: 'stat_triggered counts the webhooks.',
    check: async relay => {
      const listener = await listenFor(relay, 'message.create')
      await expectTriggered(relay, listener.subscriptionId, 0)
      for (const count of [1, 2]) {
        await createMessage(relay.api)
        await listener.next()
        await expectTriggered(relay, listener.subscriptionId, count)
      }
    },
  },
]

/** Waits until the relay has counted a webhook, which may be after its reply. */
async function expectTriggered(relay: RelayUnderTest, id: string, count: number): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const { stat_triggered: triggered } = await readSubscription(relay.api, id)
    if (triggered === count) return
    await relay.pause(100)
  }
  const { stat_triggered: triggered } = await readSubscription(relay.api, id)
  expectEqual(triggered, count, 'stat_triggered')
}
