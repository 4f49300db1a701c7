import {
  expectEqual,
  expectError,
  expectFields,
  expectRejected,
  expectStatus,
  expectSuccess,
  expectThat,
  isObject,
  readId,
  readObject,
} from '../relay/expectations.js'
import type { Rule } from '../relay/rule.js'
import {
  createInState,
  createMessage,
  createText,
  draftMessage,
  expectLetter,
  missingId,
  pickTestNumber,
  readMessage,
} from '../relay/steps.js'
import { encodeJson, type Fields } from '../relay/verify-http.js'

const section = '4.2'

function omit(name: string): Fields {
  const { [name]: _omitted, ...rest } = draftMessage()
  return rest
}

const edits: readonly (readonly [string, () => Fields])[] = [
  ['destination', () => ({ destination: pickTestNumber() })],
  ['message', () => ({ message: createText() })],
  ['send_on', () => ({ send_on: '2092-02-29 01:02:03' })],
  ['destination, message and send_on', () => draftMessage({ send_on: '2093-01-01 00:00:00' })],
]

/** docs/reference/interface.md 4.2, without the list and NEXT */
export const messageRules: readonly Rule[] = [
  {
    section,
    title: 'POST creates a message and returns its full envelope.',
    check: async relay => {
      const draft = draftMessage()
      const reply = await relay.api.post('/message', { message: draft })
      expectStatus(reply, 200, 201)
      expectFields(readObject(reply, 'message'), { ...draft, status: 'N' }, reply.request)
      readObject(reply, 'links')
      expectFields(await readMessage(relay.api, readId(reply, 'message')), draft)
    },
  },
  ...['destination', 'message'].map(name => ({
    section,
    title: `POST without ${name} is rejected.`,
    check: async (relay: Parameters<Rule['check']>[0]) =>
      expectRejected(await relay.api.post('/message', { message: omit(name) })),
  })),
  {
    section,
    title: 'POST without the parameter message is rejected.',
    check: async relay => {
      expectRejected(await relay.api.post('/message', {}))
      expectRejected(await relay.api.post('/message', { text: 'hi' }))
    },
  },
  {
    section,
    title: 'POST with a message that is not a JSON object is rejected.',
    check: async relay => {
      for (const message of ['hi', '5', '[]', '{']) {
        expectRejected(await relay.api.post('/message', { message }))
      }
    },
  },
  {
    section,
    title: 'POST with a destination or message that is no string is rejected.',
    check: async relay => {
      for (const wrong of [{ destination: {} }, { message: { text: 'hi' } }]) {
        expectRejected(await relay.api.post('/message', { message: draftMessage(wrong) }))
      }
    },
  },
  {
    section,
    title: 'POST accepts send_on as YYYY-MM-DD HH:MM:SS and stores it.',
    check: async relay => {
      for (const send_on of ['2090-12-31 23:59:59', '2088-02-29 00:00:00']) {
        const { id } = await createMessage(relay.api, { send_on })
        expectEqual((await readMessage(relay.api, id)).send_on, send_on, 'send_on')
      }
    },
  },
  {
    section,
    title: 'POST with a send_on that is no such date and time is rejected.',
    check: async relay => {
      for (const send_on of ['tomorrow', '2090-02-30 10:00:00', '2090-13-01 10:00:00', {}]) {
        expectRejected(await relay.api.post('/message', { message: draftMessage({ send_on }) }))
      }
    },
  },
  {
    section,
    title: 'GET of a message returns its envelope.',
    check: async relay => {
      const { id, ...fields } = await createMessage(relay.api)
      const reply = expectStatus(await relay.api.get(`/message/${id}`), 200)
      expectFields(readObject(reply, 'message'), { id, ...fields }, reply.request)
    },
  },
  {
    section,
    title: 'GET of a wrong id is 404 not_a_message.',
    check: async relay => {
      for (const id of [missingId, 'nonsense', '0']) {
        expectError(await relay.api.get(`/message/${id}`), [404], 'not_a_message')
      }
    },
  },
  ...edits.map(([names, createEdit]) => ({
    section,
    title: `PATCH of ${names} changes only that.`,
    check: async (relay: Parameters<Rule['check']>[0]) => {
      const { id, ...before } = await createMessage(relay.api)
      const edit = createEdit()
      expectStatus(await relay.api.patch(`/message/${id}`, { message: edit }), 200)
      expectFields(await readMessage(relay.api, id), { ...before, ...edit })
    },
  })),
  {
    section,
    title: 'PATCH returns an envelope with only the id.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const edit = { message: { message: createText() } }
      const reply = expectStatus(await relay.api.patch(`/message/${id}`, edit), 200)
      expectEqual(readObject(reply, 'message'), { id }, 'message')
    },
  },
  {
    section,
    title: 'PATCH with none of the three fields is rejected and changes nothing.',
    check: async relay => {
      const { id, ...before } = await createMessage(relay.api)
      expectRejected(await relay.api.patch(`/message/${id}`, { message: {} }))
      expectRejected(await relay.api.patch(`/message/${id}`, { message: { status: 'S' } }))
      expectFields(await readMessage(relay.api, id), before)
    },
  },
  {
    section,
    title: 'PATCH with one valid and one invalid field changes nothing.',
    check: async relay => {
      const { id, ...before } = await createMessage(relay.api)
      const edit = { message: createText(), send_on: '2090-02-30 00:00:00' }
      expectRejected(await relay.api.patch(`/message/${id}`, { message: edit }))
      expectFields(await readMessage(relay.api, id), before)
    },
  },
  {
    section,
    title: 'DELETE returns an envelope with only the id and no links.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const reply = expectStatus(await relay.api.delete(`/message/${id}`), 200)
      expectEqual(readObject(reply, 'message'), { id }, 'message')
      const links = isObject(reply.body) ? reply.body.links : undefined
      expectThat(links === undefined, 'no links', links)
    },
  },
  ...['N', 'S'].map(letter => ({
    section,
    title: `A second DELETE of a message in ${letter} is 404 not_a_message.`,
    check: async (relay: Parameters<Rule['check']>[0]) => {
      const id = await createInState(relay, letter)
      expectStatus(await relay.api.delete(`/message/${id}`), 200)
      expectError(await relay.api.delete(`/message/${id}`), [404], 'not_a_message')
    },
  })),
  {
    section,
    title: 'A success report is JSON with the number of parts.',
    check: async relay => {
      for (const parts of [1, 3]) {
        const { id } = await createMessage(relay.api)
        const report = encodeJson({ parts })
        expectSuccess(await relay.api.call('PUT', `/message/${id}/success`, report))
        await expectLetter(relay, id, 'S')
      }
    },
  },
  {
    section,
    title: 'A failure report is JSON with an error_message.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const report = encodeJson({ error_message: 'network unreachable: "E.164", 你好' })
      expectSuccess(await relay.api.call('PUT', `/message/${id}/failure`, report))
      await expectLetter(relay, id, 'E')
    },
  },
  ...['success', 'failure'].map(report => ({
    section,
    title: `A ${report} report on an unknown message is an error.`,
    check: async (relay: Parameters<Rule['check']>[0]) => {
      const body = { parts: 1, error_message: 'no carrier' }
      expectRejected(await relay.api.put(`/message/${missingId}/${report}`, body))
    },
  })),
]
