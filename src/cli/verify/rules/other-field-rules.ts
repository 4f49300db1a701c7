import {
  expectEqual,
  expectFields,
  expectMatch,
  expectRejected,
  expectStatus,
  expectThat,
  isObject,
  readObject,
} from '../relay/expectations.js'
import type { Rule } from '../relay/rule.js'
import { createSubscription, deadUrl, readSubscription } from '../relay/steps.js'

const urls = [
  'https://example.com/',
  'http://user:pa%20ss@example.com:8080/a/b?c=d&e=%5B1%5D',
  `${deadUrl}?q=`.padEnd(1024, 'x'),
]
const badUrls = ['', 'example.com/hook', 'ftp://example.com/', 'mailto:a@example.com', '/hook']
const methods = ['GET', 'PATCH', 'NEXT', 'x', "!#$%&'*+-.^_`|~0", 'ABCDEFGHIJKLMNOP']
const badMethods = ['TWO WORDS', 'A/B', '(x)', 'ABCDEFGHIJKLMNOPQ']

/** docs/reference/interface.md 2.3 to 2.5 */
export const otherFieldRules: readonly Rule[] = [
  {
    section: '2.3',
    title: 'A full subscription has six fields with their types.',
    check: async relay => {
      const given = { event: 'message.failed', url: deadUrl, method: 'PUT', post: true }
      const subscription = await createSubscription(relay.api, given)
      expectMatch(subscription.id, /^\S+$/, 'id, a string')
      expectFields(subscription, { ...given, stat_triggered: 0 })
      expectFields(await readSubscription(relay.api, subscription.id), subscription)
    },
  },
  {
    section: '2.3',
    title: 'method defaults to POST, and post to false.',
    check: async relay => {
      const created = await createSubscription(relay.api)
      const defaults = { method: 'POST', post: false, stat_triggered: 0 }
      expectFields(created, defaults)
      expectFields(await readSubscription(relay.api, created.id), defaults)
    },
  },
  {
    section: '2.3',
    title: 'url may have a login, port, path and query, and up to 1,024 characters.',
    check: async relay => {
      for (const url of urls) {
        const { id } = await createSubscription(relay.api, { url })
        expectEqual((await readSubscription(relay.api, id)).url, url, 'url')
      }
    },
  },
  {
    section: '2.3',
    title: 'url must start with http:// or https://.',
    check: async relay => {
      for (const url of badUrls) {
        const fields = { event: 'message.failed', url }
        expectRejected(await relay.api.post('/subscription', fields))
      }
    },
  },
  {
    section: '2.3',
    title: 'method is any HTTP token of up to 16 characters.',
    check: async relay => {
      for (const method of methods) {
        const { id } = await createSubscription(relay.api, { method })
        expectEqual((await readSubscription(relay.api, id)).method, method, 'method')
      }
    },
  },
  {
    section: '2.3',
    title: 'method is rejected if it is no HTTP token.',
    check: async relay => {
      for (const method of badMethods) {
        const fields = { event: 'message.failed', url: deadUrl, method }
        expectRejected(await relay.api.post('/subscription', fields))
      }
    },
  },
  {
    section: '2.3',
    title: 'post is true or false.',
    check: async relay => {
      for (const post of [true, false]) {
        const { id } = await createSubscription(relay.api, { post: String(post) })
        expectEqual((await readSubscription(relay.api, id)).post, post, 'post')
      }
    },
  },
  {
    section: '2.3',
    title: 'POST sets neither id nor stat_triggered.',
    check: async relay => {
      const subscription = await createSubscription(relay.api, { id: 'mine', stat_triggered: '7' })
      expectThat(subscription.id !== 'mine', 'an id of the relay', subscription.id)
      expectFields(subscription, { stat_triggered: 0 })
    },
  },
  {
    section: '2.4',
    title: 'GET /user returns the e-mail address.',
    check: async relay => {
      const reply = expectStatus(await relay.api.get('/user'), 200)
      expectMatch(readObject(reply, 'user').email, /.@./, 'user.email')
    },
  },
  {
    section: '2.4',
    title: 'A User Login token sees app_key and secret_key.',
    check: async relay => {
      const reply = expectStatus(await relay.person.get('/user/app'), 200)
      const { secretKey, appKey } = relay.target.keys
      const { secret_key: secret, app_key: app } = readObject(reply, 'user')
      expectEqual(secret, secretKey, 'secret_key')
      if (appKey !== undefined) expectEqual(app, appKey, 'app_key')
    },
  },
  {
    section: '2.5',
    title: 'A token reply has access_token, token_type, expires_in and scope.',
    check: async relay => {
      const { secretKey, apiKey } = relay.target.keys
      const { body } = expectStatus(await relay.signIn(secretKey, apiKey), 200)
      const token = isObject(body) ? body : {}
      expectMatch(token.access_token, /^[!-~]+$/, 'access_token')
      expectEqual(token.token_type, 'Bearer', 'token_type')
      const { expires_in: seconds } = token
      const isLifetime = Number.isInteger(seconds) && Number(seconds) > 0
      expectThat(isLifetime, 'expires_in, a number of seconds', seconds)
      expectMatch(token.scope, /\S/, 'scope')
    },
  },
  {
    section: '2.5',
    title: 'The scope is limited when the application key is used.',
    check: async relay => {
      void relay.phone
      const { secretKey, apiKey, appKey = '' } = relay.target.keys
      const [full, limited] = [
        expectStatus(await relay.signIn(secretKey, apiKey), 200),
        expectStatus(await relay.signIn(secretKey, appKey), 200),
      ]
      const [fullScope, limitedScope] = [full, limited].map(({ body }) =>
        isObject(body) ? body.scope : undefined,
      )
      expectThat(limitedScope !== fullScope, 'a scope other than the full one', limitedScope)
    },
  },
]
