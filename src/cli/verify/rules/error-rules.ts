import {
  expectEqual,
  expectError,
  expectFields,
  expectRejected,
  expectStatus,
  expectThat,
  isObject,
  readObject,
} from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import {
  createInState,
  createMessage,
  createSubscription,
  deadUrl,
  draftMessage,
  failTimes,
  missingId,
  readMessage,
} from '../relay/steps.js'

const event = 'message.failed'

function createUrl(length: number): string {
  return deadUrl.padEnd(length, 'x')
}

/** docs/reference/interface.md 4.4, 7, 8 and 9 */
export const errorRules: readonly Rule[] = [
  {
    section: '4.4',
    title: 'GET /user returns only the e-mail address.',
    check: async relay => {
      const reply = expectStatus(await relay.api.get('/user'), 200)
      expectEqual(Object.keys(readObject(reply, 'user')), ['email'], 'the fields of the user')
    },
  },
  {
    section: '4.4',
    title: 'GET /user/app with a User Login token returns app_key and secret_key.',
    check: async relay => {
      const reply = expectStatus(await relay.person.get('/user/app'), 200)
      const names = Object.keys(readObject(reply, 'user')).toSorted()
      expectEqual(names, ['app_key', 'secret_key'], 'the fields of the user')
    },
  },
  {
    section: '4.4',
    title: 'GET /user/app with another token is 403.',
    check: async relay => {
      expectStatus(await relay.api.get('/user/app'), 403)
      expectStatus(await relay.phone.get('/user/app'), 403)
    },
  },
  {
    section: '7',
    title: 'DELETE of an unknown message is 404 not_a_message.',
    check: async relay => {
      const reply = await relay.api.delete(`/message/${missingId}`)
      expectError(reply, [404], 'not_a_message')
    },
  },
  {
    section: '7',
    title: 'A repeated DELETE of a message is 404 not_a_message each time.',
    check: async relay => {
      const id = await createInState(relay, 'N')
      expectStatus(await relay.api.delete(`/message/${id}`), 200)
      for (let n = 0; n < 3; n++) {
        expectError(await relay.api.delete(`/message/${id}`), [404], 'not_a_message')
      }
    },
  },
  {
    section: '7',
    title: 'PATCH of an unknown subscription is 404 not_a_subscription.',
    check: async relay => {
      const reply = await relay.api.patch(`/subscription/${missingId}`, { event, post: true })
      expectError(reply, [404], 'not_a_subscription')
    },
  },
  {
    section: '7',
    title: 'DELETE of an unknown subscription is 400 or 404.',
    check: async relay => {
      expectStatus(await relay.api.delete(`/subscription/${missingId}`), 400, 404)
    },
  },
  {
    section: '7',
    title: 'PATCH of a message with none of its fields is invalid_request.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      const reply = await relay.api.patch(`/message/${id}`, { message: {} })
      expectRejected(reply)
      expectError(reply, [reply.status], 'invalid_request')
    },
  },
  {
    section: '8',
    title: 'The url of a subscription has at most 1,024 characters.',
    check: async relay => {
      const { id } = await createSubscription(relay.api, { event, url: createUrl(1024) })
      const longer = { event, url: createUrl(1025) }
      expectRejected(await relay.api.post('/subscription', longer))
      expectRejected(await relay.api.patch(`/subscription/${id}`, longer))
    },
  },
  {
    section: '8',
    title: 'The method of a subscription has at most 16 characters.',
    check: async relay => {
      const { id } = await createSubscription(relay.api, { event, method: 'M'.repeat(16) })
      const longer = { event, method: 'M'.repeat(17) }
      expectRejected(await relay.api.post('/subscription', { ...longer, url: deadUrl }))
      expectRejected(await relay.api.patch(`/subscription/${id}`, longer))
    },
  },
  {
    section: '8',
    title: 'A subscription has one event.',
    check: async relay => {
      const fields = { event: 'message.failed,message.sent', url: deadUrl }
      expectRejected(await relay.api.post('/subscription', fields))
    },
  },
  {
    section: '8',
    title: 'Five attempts end in F; failure_count never exceeds 5.',
    check: async relay => {
      const { id } = await createMessage(relay.api)
      await failTimes(relay.api, id, 5)
      await relay.api.put(`/message/${id}/failure`, { error_message: 'no carrier' })
      expectFields(await readMessage(relay.api, id), { status: 'F', failure_count: 5 })
    },
  },
  {
    section: '9',
    title: 'The scope of a token shows version 1.',
    check: async relay => {
      const { secretKey, apiKey } = relay.target.keys
      const { body } = expectStatus(await relay.signIn(secretKey, apiKey), 200)
      const scope = isObject(body) ? String(body.scope) : ''
      expectThat(scope.includes('/api/1'), 'a scope with /api/1', scope)
    },
  },
  {
    section: '9',
    title: 'POST of a message and of a subscription is 200 or 201.',
    check: async relay => {
      expectStatus(await relay.api.post('/message', { message: draftMessage() }), 200, 201)
      expectStatus(await relay.api.post('/subscription', { event, url: deadUrl }), 200, 201)
    },
  },
  {
    section: '9',
    title: 'Another version in the path is an error.',
    check: async (relay: RelayUnderTest) => {
      const headers = { authorization: `Bearer ${relay.api.token}` }
      for (const path of ['/api/0/message', '/api/message']) {
        expectRejected(await relay.http.send('GET', `${relay.url}${path}`, { headers }))
      }
    },
  },
]
