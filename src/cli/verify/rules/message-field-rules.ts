import {
  dateTimePattern,
  expectEqual,
  expectFields,
  expectMatch,
  expectStatus,
  expectSuccess,
  expectThat,
  readObject,
} from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import {
  createMessage,
  createText,
  distantTime,
  failTimes,
  pickTestNumber,
  readMessage,
  reportSent,
} from '../relay/steps.js'

const section = '2.2'
const texts = ['a', 'two\nlines', 'Grüße, 你好, 👋🏽', '<b>&amp;</b>', '"{}"', 'a+b=c&d%20']
/** A difference between clocks that no time zone has. */
const maxDifference = 10 * 60 * 1000

function toMilliseconds(utc: unknown): number {
  return Date.parse(`${String(utc).replace(' ', 'T')}Z`)
}

async function readClock(relay: RelayUnderTest): Promise<number> {
  const { headers } = await relay.api.get('/user')
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? Date.now() : date
}

/** docs/reference/interface.md 2.2 */
export const messageFieldRules: readonly Rule[] = [
  {
    section,
    title: 'A full message has nine fields with their types.',
    check: async relay => {
      const destination = pickTestNumber()
      const text = createText()
      const message = await createMessage(relay.api, { destination, message: text })
      expectFields(message, { destination, message: text, send_on: distantTime, status: 'N' })
      expectFields(message, { source: 'api', failure_count: 0 })
      expectMatch(message.id, /^\S+$/, 'id, a string')
      expectMatch(message.created_on, dateTimePattern, 'created_on')
      expectMatch(message.status_date, /\d{4}-\d{2}-\d{2}/, 'status_date')
    },
  },
  {
    section,
    title: 'GET returns the same fields as POST.',
    check: async relay => {
      const { id, ...fields } = await createMessage(relay.api)
      expectFields(await readMessage(relay.api, id), fields)
    },
  },
  {
    section,
    title: 'Each message has an id of its own.',
    check: async relay => {
      const [first, second] = [await createMessage(relay.api), await createMessage(relay.api)]
      expectThat(first.id !== second.id, 'two identifiers', first.id)
    },
  },
  {
    section,
    title: 'The text is stored as it was given.',
    check: async relay => {
      for (const text of texts) {
        const { id } = await createMessage(relay.api, { message: text })
        expectEqual((await readMessage(relay.api, id)).message, text, 'message')
      }
    },
  },
  {
    section,
    title: 'created_on is the time of creation in UTC.',
    check: async relay => {
      const now = await readClock(relay)
      const { created_on: created } = await createMessage(relay.api)
      const difference = Math.abs(toMilliseconds(created) - now)
      const expected = `a time within ten minutes of ${new Date(now).toISOString()}`
      expectThat(difference <= maxDifference, expected, created)
    },
  },
  {
    section,
    title: 'send_on is optional; a message always has one.',
    check: async relay => {
      const message = { destination: pickTestNumber(), message: createText() }
      const reply = expectStatus(await relay.api.post('/message', { message }), 200, 201)
      expectMatch(readObject(reply, 'message').send_on, dateTimePattern, 'send_on')
    },
  },
  {
    section,
    title: 'status_date is the time of the last change of status.',
    check: async relay => {
      const { id, status_date: before } = await createMessage(relay.api)
      await relay.pause(1100)
      const edit = { message: { message: createText() } }
      expectSuccess(await relay.api.patch(`/message/${id}`, edit))
      const edited = await readMessage(relay.api, id)
      expectEqual(edited.status_date, before, 'after an edit still status_date')
      expectSuccess(await reportSent(relay.api, id))
      const { status_date: after } = await readMessage(relay.api, id)
      expectThat(String(after) > String(before), `status_date after ${String(before)}`, after)
    },
  },
  {
    section,
    title: 'source of a message from the REST interface is "api".',
    check: async relay => {
      const { source } = await createMessage(relay.api, { source: 'website' })
      expectEqual(source, 'api', 'source')
    },
  },
  {
    section,
    title: 'POST sets no field other than destination, message and send_on.',
    check: async relay => {
      const given = { status: 'S', failure_count: 3, id: 'mine', created_on: distantTime }
      const message = await createMessage(relay.api, given)
      expectFields(message, { status: 'N', failure_count: 0 })
      expectThat(message.id !== 'mine', 'an id of the relay', message.id)
      const { created_on: created } = message
      expectThat(created !== distantTime, 'the time of creation', created)
    },
  },
  {
    section,
    title: 'PATCH changes no field other than destination, message and send_on.',
    check: async relay => {
      const { id, ...before } = await createMessage(relay.api)
      const edit = { destination: pickTestNumber(), message: createText() }
      const times = { created_on: distantTime, status_date: distantTime }
      const others = { id: 'mine', status: 'S', source: 'website', failure_count: 4, ...times }
      const fields = { ...others, ...edit, send_on: '2091-02-03 04:05:06' }
      expectSuccess(await relay.api.patch(`/message/${id}`, { message: fields }))
      const expected = { ...before, ...edit, send_on: '2091-02-03 04:05:06' }
      expectFields(await readMessage(relay.api, id), { id, ...expected })
    },
  },
  {
    section,
    title: 'failure_count is 0 before an attempt, and 1 to 4 after so many failures.',
    check: async relay => {
      const { id, failure_count: first } = await createMessage(relay.api)
      expectEqual(first, 0, 'failure_count')
      for (let count = 1; count < 5; count++) {
        await failTimes(relay.api, id, 1)
        expectFields(await readMessage(relay.api, id), { status: 'E', failure_count: count })
      }
    },
  },
  {
    section,
    title: 'failure_count is 0 when the message is sent.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      await failTimes(relay.api, id, 2)
      expectSuccess(await reportSent(relay.api, id))
      expectFields(await readMessage(relay.api, id), { status: 'S', failure_count: 0 })
    },
  },
  {
    section,
    title: 'failure_count is 5 when the message is Failed.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      await failTimes(relay.api, id, 5)
      expectFields(await readMessage(relay.api, id), { status: 'F', failure_count: 5 })
    },
  },
]
