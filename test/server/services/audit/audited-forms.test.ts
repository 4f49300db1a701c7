import { expect, test } from 'vitest'
import type { AuditAction } from '../../../../src/domain/audit/audit-entry.js'
import { allResources } from '../../../../src/resources/resources.js'
import { createPages } from '../../../../src/server/dashboard/dashboard-pages.js'
import type { PageSender } from '../../../../src/server/dashboard/page/page-sender.js'
import { Browser } from '../../dashboard/browser.js'
import { bobEmail, openPhone, password } from '../../dashboard/dashboard-relay.js'
import { invite } from '../../dashboard/people/people-rig.js'
import { setUpApp } from '../../dashboard/security/second-factor.js'
import { findPlanted } from '../../log/planted-values.js'
import { startAudited } from './audit-rig.js'

const number = '+12025550187'
const text = 'a planted text'
const hook = 'http://127.0.0.1:1/planted-path'
const confirmed = { password }
const encoded = encodeURIComponent(number)

interface Step {
  /** Route of the form; `$name` in `path` and `form` stands for an identifier. */
  readonly route: string
  readonly path?: string
  readonly form?: Readonly<Record<string, string>>
  /** The action of its entry; none if it leaves none. */
  readonly action?: AuditAction
}

const people = '/settings/people'
const subscription = '/subscriptions/:id'

const steps: readonly Step[] = [
  { route: '/contacts', form: { number, name: 'Robin' }, action: 'contact.create' },
  {
    route: '/contacts/:number',
    path: `/contacts/${encoded}`,
    form: { number, name: 'Robin Day' },
    action: 'contact.change',
  },
  {
    route: '/contacts/import',
    form: { table: `number,name,city\n${number},Robin,${text}\n` },
    action: 'contact.import',
  },
  {
    route: '/contacts/:number/delete',
    path: `/contacts/${encoded}/delete`,
    action: 'contact.delete',
  },
  { route: '/do-not-text', form: { number, note: text }, action: 'do_not_text.add' },
  { route: '/do-not-text/remove', form: { number }, action: 'do_not_text.remove' },
  {
    route: '/do-not-text/import',
    form: { table: '+12025550188\n' },
    action: 'do_not_text.import',
  },
  {
    route: '/subscriptions',
    form: { event: 'message.sent', url: hook },
    action: 'subscription.create',
  },
  {
    route: `${subscription}/edit`,
    form: { url: `${hook}2`, method: 'POST' },
    action: 'subscription.change',
  },
  { route: `${subscription}/pause`, action: 'subscription.pause' },
  { route: `${subscription}/skip`, action: 'subscription.skip' },
  { route: `${subscription}/resend`, form: { sequence: '$event' }, action: 'delivery.resend' },
  { route: `${subscription}/replay`, form: { from: '$event' }, action: 'subscription.replay' },
  { route: `${subscription}/resume`, action: 'subscription.resume' },
  { route: `${subscription}/test`, action: 'subscription.test' },
  { route: `${subscription}/secret/replace`, form: confirmed, action: 'signing_secret.replace' },
  { route: `${subscription}/secret/remove`, form: confirmed, action: 'signing_secret.remove' },
  { route: `${subscription}/secret`, form: confirmed, action: 'person.confirm_password' },
  { route: `${subscription}/delete`, action: 'subscription.delete' },
  { route: '/urls', form: { name: 'Door', destinations: number }, action: 'secret_url.create' },
  { route: '/urls/:id/revoke', action: 'secret_url.revoke' },
  { route: '/phones/:name/forget', path: '/phones/desk/forget', action: 'phone.forget' },
  {
    route: '/messages/:id/edit',
    form: { destination: number, message: `${text} 2` },
    action: 'message.change',
  },
  { route: '/messages/:id/lock', action: 'message.lock' },
  { route: '/messages/:id/unlock', action: 'message.unlock' },
  { route: '/messages/:id/delete', action: 'message.delete' },
  { route: '/messages/:id/undelete', action: 'message.undelete' },
  { route: '/messages/bulk', form: { do: 'lock', id: '$messages' } },
  { route: '/messages/bulk/run', form: { do: 'lock', ids: '$messages' }, action: 'message.lock' },
  { route: '/send', form: { destination: number, message: text } },
  { route: '/send/length', form: { message: text } },
  { route: '/conversations/:number', path: `/conversations/${encoded}`, form: { message: text } },
  { route: '/settings', form: { country: 'DE', mode: 'at-most-once' }, action: 'account.change' },
  { route: '/settings/theme', form: { theme: 'dark' } },
  { route: people, form: { email: 'eve@example.com', role: 'reader' }, action: 'person.invite' },
  { route: `${people}/invitations/:id/revoke`, action: 'invitation.revoke' },
  { route: `${people}/:id/role`, form: { role: 'sender' }, action: 'person.change_role' },
  {
    route: `${people}/:id/second-factor`,
    form: confirmed,
    action: 'second_factor.reset',
  },
  { route: `${people}/:id/remove`, action: 'person.remove' },
  { route: '/settings/keys', form: confirmed, action: 'person.confirm_password' },
  {
    route: '/settings/keys/:name',
    path: '/settings/keys/app',
    form: confirmed,
    action: 'key.replace',
  },
  {
    route: '/accounts/new',
    form: { email: 'cy@example.com', country: 'US', mode: 'at-least-once' },
    action: 'account.create',
  },
  { route: '/accounts/:id/limits', form: { subscriptions: '5' }, action: 'account.set_limits' },
  { route: '/accounts/:id/password', form: confirmed, action: 'account.set_password' },
  {
    route: '/accounts/:id/keys/:name',
    path: '/accounts/$accounts/keys/api',
    form: confirmed,
    action: 'key.replace',
  },
  {
    route: '/accounts/:id/delete',
    form: { ...confirmed, email: bobEmail },
    action: 'account.delete',
  },
  {
    route: '/settings/password',
    form: { password, new_password: `${password} 2`, repeated: `${password} 2` },
    action: 'person.change_password',
  },
  {
    route: '/settings/email',
    form: { email: 'new@example.com', password: `${password} 2` },
    action: 'person.change_email',
  },
  { route: '/logout', action: 'person.sign_out' },
]

/** Forms that `audited-security-forms` tests. */
const others = /^\/(settings\/security\/|send\/(many|contacts)$|messages\/:id\/retry$)/

test('every form leaves one entry at most, without secrets, texts and numbers', async () => {
  const { url, ann, administration, client, openBrowser, readNew, readAll } = await startAudited()
  const bob = await administration.createAccount({ email: bobEmail, password })
  const browser = await openBrowser()
  await openPhone(url, ann, { name: 'desk', driver: 'simulate' }).messages.next()
  const ids = await createObjects(url, browser, client)
  ids.accounts = bob.id
  const getHidden = async (path: string) => {
    const { text: page } = await browser.get(path)
    const hidden = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
    const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
    const kept = ['version', 'was'].filter(name => name in fields)
    return Object.fromEntries(kept.map(name => [name, fields[name] ?? '']))
  }
  await readNew()
  for (const { route, path, form = {}, action } of steps) {
    const kind = route
      .split('/')
      .at(route.includes('invitations') ? 3 : route.startsWith(people) ? 2 : 1)
    const fill = (value: string) => value.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? '')
    const address = fill(path ?? route.replace(':id', `$${kind ?? ''}`))
    const filled = Object.fromEntries(
      Object.entries(form).map(([name, each]) => [name, fill(each)]),
    )
    const reply = await browser.submit(address, { ...(await getHidden(address)), ...filled })
    // A form is followed by its page, which can show secrets.
    const entries = (await readNew()).filter(each => !each.action.endsWith('.show'))
    const expected = action === undefined ? [] : [action]
    expect(
      entries.map(each => each.action),
      `${route}: ${reply.status} ${reply.notice?.text} ${JSON.stringify(reply.errors)}`,
    ).toEqual(expected)
    for (const { actor, address: from } of entries) {
      expect(actor).toMatchObject({ kind: 'person', id: ann.id })
      expect(from).toBe('127.0.0.1')
    }
  }
  const isOn = (path: string, route: string) => route === path || route.startsWith(`${path}/`)
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  const forms = Object.entries(createPages(anything as PageSender)).filter(([, each]) => each.POST)
  const missing = forms.filter(
    ([route]) =>
      !others.test(route) &&
      !steps.some(step => step.route === route) &&
      !allResources.some(({ page }) => isOn(page.path, route)),
  )
  expect(missing.map(([route]) => route)).toEqual([])
  const planted = [number, number.slice(1), text, 'planted', password, ann.api_key, ann.secret_key]
  expect(findPlanted(await readAll(), planted)).toEqual([])
})

type Client = Awaited<ReturnType<typeof startAudited>>['client']

/** Something of every kind, by the first part of its path. */
async function createObjects(url: string, browser: Browser, client: Client) {
  const message = { destination: '+12025550143', message: text }
  const made = await client.subscriptions.create({ event: 'message.create', url: hook })
  const messages = (await client.messages.create(message)).id
  const event = String((await client.events.list({ after: -1 })).last)
  const link = await invite(browser, 'sam@example.com', 'reader')
  const sam = new Browser(url)
  await sam.post(link, { new_password: password, repeated: password })
  await sam.signIn('sam@example.com', password)
  await setUpApp(sam, Date.now)
  await invite(browser, 'fay@example.com', 'reader')
  const { text: page } = await browser.get(people)
  const ids: Record<string, string> = {
    subscriptions: made.id,
    messages,
    event,
    urls: (await client.secretUrls.create({ destination: [number] })).id,
    people: /people\/([^/"]*)\/role/.exec(page)?.[1] ?? '',
    invitations: /invitations\/([^/"]*)\/revoke/.exec(page)?.[1] ?? '',
  }
  return ids
}
