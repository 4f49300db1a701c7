import {
  expectEqual,
  expectError,
  expectFields,
  expectRejected,
  expectStatus,
  expectSuccess,
  expectThat,
} from '../relay/expectations.js'
import { claimMessage, createDue, expectNoMessage } from '../relay/queue-steps.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import {
  blockNumber,
  createInState,
  createMessage,
  createText,
  expectLetter,
  failTimes,
  listIds,
  pickTestNumber,
  readMessage,
  reportFailed,
  reportSent,
} from '../relay/steps.js'

const section = '3'
const minute = 60_000
/** Minutes until the first retry of a failed message. */
const retryMinutes = 15

async function expectNoEdit(relay: RelayUnderTest, letter: string): Promise<void> {
  const id = await createInState(relay, letter)
  const before = await readMessage(relay.api, id)
  const edit = { message: { message: createText() } }
  expectRejected(await relay.api.patch(`/message/${id}`, edit))
  expectFields(await readMessage(relay.api, id), before)
}

async function expectDeletion(relay: RelayUnderTest, letter: string): Promise<void> {
  const id = await createInState(relay, letter)
  expectStatus(await relay.api.delete(`/message/${id}`), 200)
  expectError(await relay.api.get(`/message/${id}`), [404], 'not_a_message')
  const normal = await listIds(relay.api, { filter: 'normal', count: 100 })
  expectThat(!normal.includes(id), `a list without message ${id}`, normal)
}

async function expectListed(relay: RelayUnderTest, filter: string, id: string): Promise<void> {
  const ids = await listIds(relay.api, { filter, count: 100 })
  expectThat(ids.includes(id), `a list with message ${id}`, ids)
}

/** docs/reference/interface.md 3 */
export const stateRules: readonly Rule[] = [
  {
    section,
    title: 'A new message is N.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      await expectLetter(relay, id, 'N')
    },
  },
  ...['N', 'E'].map(letter => ({
    section,
    title: `A success report takes a message from ${letter} to S.`,
    check: async (relay: RelayUnderTest) => {
      const id = await createInState(relay, letter)
      expectSuccess(await reportSent(relay.api, id))
      await expectLetter(relay, id, 'S')
    },
  })),
  {
    section,
    title: 'A failure report takes a message from N to E, and adds one failure.',
    check: async relay => {
      const id = await createInState(relay, 'N')
      await failTimes(relay.api, id, 1)
      expectFields(await readMessage(relay.api, id), { status: 'E', failure_count: 1 })
    },
  },
  {
    section,
    title: 'A message with four failures can still be sent.',
    check: async relay => {
      const id = await createInState(relay, 'N')
      await failTimes(relay.api, id, 4)
      expectSuccess(await reportSent(relay.api, id))
      expectFields(await readMessage(relay.api, id), { status: 'S', failure_count: 0 })
    },
  },
  {
    section,
    title: 'The fifth failure takes a message to F.',
    check: async relay => {
      const id = await createInState(relay, 'N')
      await failTimes(relay.api, id, 4)
      await expectLetter(relay, id, 'E')
      await failTimes(relay.api, id, 1)
      await expectLetter(relay, id, 'F')
    },
  },
  {
    section,
    title: 'A failed message waits before it is tried again.',
    check: async relay => {
      const { id } = await createDue(relay)
      await claimMessage(relay.phone, id)
      await failTimes(relay.phone, id, 1)
      await expectNoMessage(relay.phone)
    },
  },
  {
    section,
    title: 'The retry is delayed by 15 minutes times the number of failures.',
    needsClock: true,
    check: async relay => {
      const { id } = await createDue(relay)
      for (const failures of [1, 2]) {
        await claimMessage(relay.phone, id)
        await failTimes(relay.phone, id, 1)
        await relay.moveClock((retryMinutes * failures - 1) * minute)
        await expectNoMessage(relay.phone)
        await relay.moveClock(2 * minute)
      }
      await claimMessage(relay.phone, id)
    },
  },
  {
    section,
    title: 'A message in F is never tried again.',
    check: async relay => {
      const { id } = await createDue(relay)
      await failTimes(relay.api, id, 5)
      await expectNoMessage(relay.phone)
    },
  },
  ...['N', 'E', 'S', 'F', 'L', 'B'].map(letter => ({
    section,
    title: `DELETE removes a message in ${letter}.`,
    check: async (relay: RelayUnderTest) => await expectDeletion(relay, letter),
  })),
  {
    section,
    title: 'A message that is deleted before it is sent is D, and listed as deleted.',
    check: async relay => {
      const id = await createInState(relay, 'N')
      expectStatus(await relay.api.delete(`/message/${id}`), 200)
      await expectListed(relay, 'deleted', id)
    },
  },
  ...['N', 'E'].map(letter => ({
    section,
    title: `A message in ${letter} can be edited.`,
    check: async (relay: RelayUnderTest) => {
      const id = await createInState(relay, letter)
      const text = createText()
      const edit = { message: { message: text } }
      expectSuccess(await relay.api.patch(`/message/${id}`, edit))
      expectFields(await readMessage(relay.api, id), { message: text, status: letter })
    },
  })),
  ...['S', 'F', 'L', 'B'].map(letter => ({
    section,
    title: `A message in ${letter} cannot be edited.`,
    check: async (relay: RelayUnderTest) => await expectNoEdit(relay, letter),
  })),
  {
    section,
    title: 'S is final: a failure report does not change it.',
    check: async relay => {
      const id = await createInState(relay, 'S')
      await reportFailed(relay.api, id)
      await expectLetter(relay, id, 'S')
    },
  },
  {
    section,
    title: 'F is final: a success report does not change it.',
    check: async relay => {
      const id = await createInState(relay, 'F')
      await reportSent(relay.api, id)
      await expectLetter(relay, id, 'F')
    },
  },
  {
    section,
    title: 'B cannot be changed: reports do not change it.',
    check: async relay => {
      const id = await createInState(relay, 'B')
      await reportSent(relay.api, id)
      await reportFailed(relay.api, id)
      await expectLetter(relay, id, 'B')
    },
  },
  {
    section,
    title: 'A message to a number on the Do Not Text list is B, and listed as blocked.',
    check: async relay => {
      const destination = pickTestNumber()
      await blockNumber(relay, destination)
      const { id, status } = await createMessage(relay.api, { destination })
      expectEqual(status, 'B', 'status')
      await expectListed(relay, 'blocked', id)
    },
  },
]
