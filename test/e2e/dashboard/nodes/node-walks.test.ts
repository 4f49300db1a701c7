import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type NewAccount, newAccount } from '../../../../src/contract/account-schema.js'
import {
  fillSignIn,
  findChromium,
  openClient,
  openPage,
  signIn,
  signInByRequest,
} from '../dashboard-service.js'
import { type DashboardNodes, startDashboardNodes } from './dashboard-nodes.js'

const found = await findChromium()
const number = '+12025550177'

/** A form that edits something, and three values of one of its fields. */
interface EditForm {
  readonly path: string
  readonly field: string
  /** The value of the second person, of the first one, and of the first one after another look. */
  readonly values: readonly [theirs: string, mine: string, better: string]
}

const texts = ['Theirs', 'Mine', 'Mine and more'] as const

describe.skipIf(typeof found === 'string')('walks over two nodes, in turn', () => {
  const browser = found as Exclude<typeof found, string>
  let service: DashboardNodes
  let bob: NewAccount
  const forms = new Map<string, EditForm>()

  beforeAll(async () => {
    service = await startDashboardNodes()
    const args = ['account', 'create', 'bob@example.com', '--json']
    bob = newAccount.parse(JSON.parse((await service.home.run(args)).stdout))
    const { messages, subscriptions, contacts, groups, templates } = openClient(
      service,
      service.owner,
    )
    const draft = { destination: number, message: 'Hi', send_on: '2099-12-31 12:00:00' }
    const message = await messages.create(draft)
    const hook = await subscriptions.create({ event: 'message.sent', url: 'http://127.0.0.1:9/' })
    const contact = await contacts.create({ number, name: 'Ann' })
    const group = await groups.create('Team')
    const template = await templates.create({ name: 'Hi', text: 'Hi {name}' })
    const ports = [11, 12, 13].map(port => `http://127.0.0.1:${port}/`)
    const add = (name: string, path: string, field: string, values: readonly string[] = texts) =>
      forms.set(name, { path, field, values: values as [string, string, string] })
    add('a message', `/messages/${message.id}/edit`, 'message')
    add('a subscription', `/subscriptions/${hook.id}/edit`, 'url', ports)
    add('a contact', `/contacts/${encodeURIComponent(contact.number)}`, 'name')
    add('a group', `/contacts/groups/${group.id}`, 'name')
    add('a template', `/templates/${template.id}`, 'text')
    add('the settings', '/settings', 'help_text')
    add('the limits', `/accounts/${bob.id}/limits`, 'subscriptions', ['11', '12', '13'])
  })

  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const open = async () => await openPage(browser, service, onTestFinished)

  const findField = (page: Page, { field }: EditForm) => page.locator(`main form [name=${field}]`)

  async function save(page: Page, form: EditForm, value: string): Promise<void> {
    await findField(page, form).fill(value)
    const filled = page.locator('main form', { has: page.locator(`[name=${form.field}]`) })
    await filled.getByRole('button', { name: /^(Save|Rename)/ }).click()
  }

  /** Two pages of one session. */
  async function openTwoPages(): Promise<readonly [Page, Page]> {
    const { page, context } = await open()
    await signInByRequest(context, service.owner)
    return [page, await context.newPage()]
  }

  /** Opens a form, which the other page changes before it is sent; shows both versions. */
  async function openConflict([page, other]: readonly [Page, Page], form: EditForm): Promise<void> {
    await page.goto(form.path)
    await other.goto(form.path)
    const [theirs, mine] = form.values
    await save(other, form, theirs)
    await other.locator('.notice.good').waitFor()
    await save(page, form, mine)
    await page.getByText('Your changes are not saved.').waitFor()
    expect(await page.locator('mark').count()).toBeGreaterThanOrEqual(2)
  }

  async function expectSaved(page: Page, form: EditForm, value: string): Promise<void> {
    await page.goto(form.path)
    expect(await findField(page, form).inputValue()).toBe(value)
  }

  const names = [
    ...['a message', 'a subscription', 'a contact', 'a group', 'a template'],
    ...['the settings', 'the limits'],
  ]

  test.each(names)('both versions of %s are shown, and each choice is done', async name => {
    const form = forms.get(name) as EditForm
    const [theirs, mine, better] = form.values
    const pages = await openTwoPages()
    const [page] = pages
    await openConflict(pages, form)
    await page.getByRole('button', { name: 'Save my version' }).click()
    await page.locator('.notice.good').waitFor()
    await expectSaved(page, form, mine)
    await openConflict(pages, form)
    await page.getByRole('button', { name: 'Edit my version' }).click()
    await findField(page, form).waitFor()
    expect(await findField(page, form).inputValue()).toBe(mine)
    await save(page, form, better)
    await page.locator('.notice.good').waitFor()
    await expectSaved(page, form, better)
    await openConflict(pages, form)
    await page.getByRole('link', { name: 'Keep the current version' }).click()
    await page.waitForURL(url => !url.pathname.startsWith('/results'))
    await expectSaved(page, form, theirs)
  })

  test('"Sign out the others" ends them at both nodes', async () => {
    const [{ page }, { page: other }] = [await open(), await open()]
    await signIn(other, bob)
    await other.goto('/urls')
    await signIn(page, bob)
    await page.goto('/settings/security')
    await page.getByRole('button', { name: 'Sign out the others' }).click()
    await page.getByText(/other sessions? ha(s|ve) ended/).waitFor()
    const button = other.locator('main').getByRole('button', { name: /^Create/ })
    await button.click()
    await other.waitForURL(/\/login\?/)
    await fillSignIn(other, bob)
    await other.waitForURL(/\/urls$/)
    for (const path of ['/urls', '/settings', '/urls']) {
      await page.goto(path)
      expect(new URL(page.url()).pathname).toBe(path)
    }
  })

  test('a password that the owner sets ends the sessions', async () => {
    const [{ page }, { page: other }] = [await open(), await open()]
    await signIn(other, bob)
    await other.goto('/urls')
    await signIn(page, service.owner)
    await page.goto(`/accounts/${bob.id}/password`)
    await page.locator('main [type=password]').fill(service.owner.password)
    await page.locator('main form').getByRole('button').first().click()
    const shown = page.locator('pre#new-password')
    const password = (await shown.textContent())?.trim() ?? ''
    const button = other.locator('main').getByRole('button', { name: /^Create/ })
    await button.click()
    await other.waitForURL(/\/login\?/)
    await fillSignIn(other, { ...bob, password })
    await other.waitForURL(/\/urls$/)
  })
})
