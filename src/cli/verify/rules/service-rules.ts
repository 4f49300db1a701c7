import {
  expectEqual,
  expectFields,
  expectStatus,
  expectSuccess,
  expectThat,
  readId,
} from '../relay/expectations.js'
import { claimMessage, createDue, requireQueue } from '../relay/queue-steps.js'
import type { Rule } from '../relay/rule.js'
import {
  createMessage,
  distantTime,
  expectLetter,
  listenFor,
  readMessage,
  readWebhookId,
  reportFailed,
  reportSent,
} from '../relay/steps.js'

const section = '1'

/** docs/reference/interface.md 1 */
export const serviceRules: readonly Rule[] = [
  {
    section,
    title: 'A message goes from POST through NEXT to a success report.',
    check: async relay => {
      const { id } = await createDue(relay)
      await claimMessage(relay.phone, id)
      expectSuccess(await reportSent(relay.phone, id))
      await expectLetter(relay, id, 'S')
    },
  },
  {
    section,
    title: 'A failure report keeps the message for a retry.',
    check: async relay => {
      const { id } = await createDue(relay)
      await claimMessage(relay.phone, id)
      expectSuccess(await reportFailed(relay.phone, id))
      expectFields(await readMessage(relay.api, id), { status: 'E', failure_count: 1 })
    },
  },
  {
    section,
    title: 'The test numbers that succeed and those that fail are valid destinations.',
    check: async relay => {
      for (const destination of ['+12125551212', '5551212', '+12125551213', '5551213']) {
        const message = { destination, message: 'test', send_on: distantTime }
        const reply = await relay.api.post('/message', { message })
        expectStatus(reply, 200, 201)
        const stored = await readMessage(relay.api, readId(reply, 'message'))
        expectFields(stored, { destination, status: 'N' })
      }
    },
  },
  {
    section,
    title: 'The phone fetches a message to a test number, and reports on it.',
    check: async relay => {
      await requireQueue(relay)
      const { id } = await createDue(relay, { destination: '+12125551213' })
      await claimMessage(relay.phone, id)
      expectSuccess(await reportFailed(relay.phone, id))
      await expectLetter(relay, id, 'E')
    },
  },
  {
    section,
    title: 'A subscription gets every event, in order.',
    check: async relay => {
      const listener = await listenFor(relay, 'message.create')
      const created: unknown[] = []
      for (let n = 0; n < 5; n++) created.push((await createMessage(relay.api)).id)
      const heard: unknown[] = []
      while (heard.length < created.length) {
        const id = readWebhookId(await listener.next())
        if (created.includes(id)) heard.push(id)
      }
      expectEqual(heard, created, 'webhooks of the messages')
    },
  },
  {
    section,
    title: 'Subscriptions see an intermediate state that a poll misses.',
    check: async relay => {
      const created = await listenFor(relay, 'message.create')
      const sent = await listenFor(relay, 'message.sent')
      const { id } = await createMessage(relay.api)
      expectSuccess(await reportSent(relay.api, id))
      const { status } = await readMessage(relay.api, id)
      expectThat(status === 'S', 'status "S"', status)
      expectEqual(readWebhookId(await created.next()), id, 'webhook of message.create for')
      expectEqual(readWebhookId(await sent.next()), id, 'webhook of message.sent for')
    },
  },
]
