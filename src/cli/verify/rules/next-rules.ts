import {
  expectEqual,
  expectFields,
  expectRejected,
  expectStatus,
  expectSuccess,
  readObject,
} from '../relay/expectations.js'
import {
  claimMessage,
  createDue,
  expectNoMessage,
  getPastTime,
  requireQueue,
} from '../relay/queue-steps.js'
import type { Rule } from '../relay/rule.js'
import { RuleSkipped } from '../relay/rule-outcome.js'
import {
  blockNumber,
  createMessage,
  createText,
  distantTime,
  failTimes,
  pickTestNumber,
  readMessage,
  reportSent,
} from '../relay/steps.js'

const section = '4.2'

/** docs/reference/interface.md 4.2, NEXT */
export const nextRules: readonly Rule[] = [
  {
    section,
    title: 'NEXT returns the message that the phone must send.',
    check: async relay => {
      const { id, ...fields } = await createDue(relay)
      const reply = expectStatus(await relay.phone.next(), 200)
      expectFields(readObject(reply, 'message'), { id, ...fields }, reply.request)
    },
  },
  {
    section,
    title: 'NEXT with no message left is 404 not_a_message.',
    check: async relay => {
      await requireQueue(relay)
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'GET /message/next is the same as NEXT.',
    check: async relay => {
      const { id } = await createDue(relay)
      const reply = expectStatus(await relay.phone.get('/message/next'), 200)
      expectEqual(readObject(reply, 'message').id, id, 'message.id')
      await claimMessage(relay.phone, id)
      expectSuccess(await reportSent(relay.phone, id))
      expectStatus(await relay.phone.get('/message/next'), 404)
    },
  },
  {
    section,
    title: 'NEXT is refused to a token of the API key.',
    check: async relay => {
      const { id } = await createDue(relay)
      expectRejected(await relay.api.next())
      expectRejected(await relay.api.get('/message/next'))
      await claimMessage(relay.phone, id)
    },
  },
  {
    section,
    title: 'NEXT is refused to a User Login token.',
    check: async relay => {
      expectRejected(await relay.person.next())
    },
  },
  {
    section,
    title: 'A message without send_on is due at once.',
    check: async relay => {
      await requireQueue(relay)
      const message = { destination: pickTestNumber(), message: createText() }
      const reply = expectStatus(await relay.api.post('/message', { message }), 200, 201)
      await claimMessage(relay.phone, String(readObject(reply, 'message').id))
    },
  },
  {
    section,
    title: 'NEXT does not return a message before its send_on.',
    check: async relay => {
      await requireQueue(relay)
      await createMessage(relay.api)
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT follows an edit of send_on in both directions.',
    check: async relay => {
      await requireQueue(relay)
      const soon = await createMessage(relay.api)
      const past = { message: { send_on: getPastTime() } }
      expectSuccess(await relay.api.patch(`/message/${soon.id}`, past))
      await claimMessage(relay.phone, soon.id)
      expectSuccess(await reportSent(relay.phone, soon.id))
      const late = await createDue(relay)
      const distant = { message: { send_on: distantTime } }
      expectSuccess(await relay.api.patch(`/message/${late.id}`, distant))
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT does not return a message in S.',
    check: async relay => {
      const { id } = await createDue(relay)
      await claimMessage(relay.phone, id)
      expectSuccess(await reportSent(relay.phone, id))
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT does not return a message in F.',
    check: async relay => {
      const { id } = await createDue(relay)
      await failTimes(relay.api, id, 5)
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT does not return a deleted message.',
    check: async relay => {
      const { id } = await createDue(relay)
      expectStatus(await relay.api.delete(`/message/${id}`), 200)
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT does not return a message in L.',
    check: async relay => {
      const { id } = await createDue(relay)
      const { status } = await relay.api.put(`/message/${id}/lock`, {})
      if (status >= 300) throw new RuleSkipped('this relay has no request that locks a message')
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'NEXT does not return a message in B.',
    check: async relay => {
      await requireQueue(relay)
      const destination = pickTestNumber()
      await blockNumber(relay, destination)
      const { id } = await createDue(relay, { destination })
      await expectNoMessage(relay.phone)
      expectEqual((await readMessage(relay.api, id)).status, 'B', 'status')
    },
  },
  {
    section,
    title: 'NEXT returns each message once when phones report what they send.',
    check: async relay => {
      const ids: string[] = []
      for (let n = 0; n < 3; n++) ids.push((await createDue(relay)).id)
      const claimed: string[] = []
      for (const _ of ids) {
        const id = await claimMessage(relay.phone, ...ids)
        expectSuccess(await reportSent(relay.phone, id))
        claimed.push(id)
      }
      expectEqual(claimed.toSorted(), ids.toSorted(), 'NEXT to return')
      await expectNoMessage(relay.phone)
    },
  },
]
