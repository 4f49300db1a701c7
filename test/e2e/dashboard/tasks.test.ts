import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { computeTotp } from '../../../src/util/crypto/totp.js'
import { startOtherSite } from './attacks.js'
import {
  addAccount,
  openClient,
  openPage,
  openPhone,
  signInByRequest,
} from './dashboard-service.js'
import { browser, describeInChromium, service } from './describe-in-chromium.js'

/** Of `in-page.js`. */
declare const inPage: { hasFocus(element: unknown): boolean | undefined }

/** Each task starts on the overview. */
const maxClicks = 4
/** More elements than a page has before its main part. */
const maxTabs = 150

/** A person who counts clicks, or presses of Enter with the keyboard only. */
class Operator {
  readonly page: Page
  readonly account: NewAccount
  readonly #hasMouse: boolean
  clicks = 0

  constructor(page: Page, account: NewAccount, hasMouse: boolean) {
    this.page = page
    this.account = account
    this.#hasMouse = hasMouse
  }

  async press(target: Locator): Promise<void> {
    this.clicks += 1
    if (this.#hasMouse) return await target.click()
    await this.#tabTo(target)
    await this.page.keyboard.press('Enter')
  }

  async type(target: Locator, text: string): Promise<void> {
    if (this.#hasMouse) return await target.fill(text)
    await this.#tabTo(target)
    await this.page.keyboard.type(text)
  }

  /** A day as `YYYY-MM-DD`; its field takes the parts in the order of the browser's language. */
  async typeDay(target: Locator, day: string): Promise<void> {
    const [year, month, date] = day.split('-')
    await this.type(target, this.#hasMouse ? day : `${month}${date}${year}`)
  }

  /** Presses a link to a file, and returns its text. */
  async download(target: Locator): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.press(target)])
    return await readFile(await file.path(), 'utf8')
  }

  async #tabTo(target: Locator): Promise<void> {
    // Finding the element again after each Tab takes longer than all else.
    let element = await target.elementHandle()
    for (let tabs = 0; tabs < maxTabs; tabs += 1) {
      await this.page.keyboard.press('Tab')
      const hasFocus = await element?.evaluate(each => inPage.hasFocus(each))
      if (hasFocus === true) return
      if (hasFocus === undefined) element = await target.elementHandle()
    }
    throw new Error(`Tab did not reach ${target}.`)
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: true }).first()
  }

  /** A button of the page, not of the navigation. */
  button(name: string | RegExp): Locator {
    return this.page.locator('main').getByRole('button', { name }).first()
  }

  field(label: string): Locator {
    return this.page.locator('main').getByLabel(label, { exact: true })
  }

  async see(text: string): Promise<void> {
    await this.page.locator('main').getByText(text).first().waitFor()
  }
}

type Task = (operator: Operator, number: string) => Promise<void>

const reason = 'The number is not in service'

const tasks: Readonly<Record<string, Task>> = {
  'send a message': async (operator, number) => {
    await operator.press(operator.link('New message'))
    await operator.type(operator.field('To'), number)
    await operator.type(operator.page.locator('#message'), 'Your table is ready')
    await operator.press(operator.button(/^Send$/))
    await operator.see('Waiting')
  },
  'see why a message failed': async (operator, number) => {
    await createFailedMessage(operator.account, number)
    await operator.page.reload()
    await operator.press(
      operator.page.locator('.figures > div', { hasText: 'Failed today' }).getByRole('link'),
    )
    await operator.press(operator.link(number))
    await operator.see(reason)
  },
  'send all failed messages of a phone again': async (operator, number) => {
    const { messages } = openClient(service, operator.account)
    const count = async (filter: 'all' | 'failed') =>
      (await messages.list({ filter, count: 100 })).length
    await createFailedMessage(operator.account, number)
    const expected = (await count('all')) + (await count('failed'))
    await operator.page.reload()
    await operator.press(operator.link('front-desk'))
    await operator.press(operator.button('Send all failed messages again'))
    await operator.press(operator.button(/^Send \d+ messages? again$/))
    await operator.page.locator('.notice.good').getByText('sent again').waitFor()
    expect(await count('all')).toBe(expected)
  },
  'answer a received text': async (operator, number) => {
    const { receivedTexts } = openClient(service, operator.account)
    await receivedTexts.report({ from: number, message: 'When do you open?' })
    await operator.page.reload()
    await operator.press(operator.link(`Received from ${number}`))
    await operator.type(operator.page.getByLabel('Your reply'), 'At nine')
    await operator.press(operator.button(/^Send$/))
    await operator.see('At nine')
  },
  'put a customer on the Do Not Text list': async (operator, number) => {
    await operator.press(operator.link('Do Not Text'))
    await operator.type(operator.field('Number'), number)
    await operator.press(operator.button('Add to the list'))
    await operator.page.locator('.notice.good').getByText(number).waitFor()
  },
  'create a secret URL': async (operator, number) => {
    await operator.press(operator.link('Secret URLs'))
    await operator.type(operator.field('Name'), `Door ${number}`)
    await operator.press(operator.button('Create the secret URL'))
    await operator.page.locator('.once pre').first().waitFor()
  },
  'connect a webhook and test it': async operator => {
    const url = await startOtherSite('', onTestFinished)
    await operator.press(operator.link('Subscriptions'))
    await operator.press(operator.link('New subscription'))
    await operator.type(operator.field('URL'), url)
    await operator.press(operator.button('Create the subscription'))
    await operator.press(operator.button(/test/i))
    await operator.see('200')
  },
  'invite a reader': async (operator, number) => {
    await operator.press(operator.link('People'))
    await operator.type(operator.field('E-mail address'), `reader${number}@example.com`)
    await operator.press(operator.button('Invite'))
    await operator.see('/invitation/')
    await operator.see('for the role reader')
  },
  'turn on TOTP': async operator => {
    await operator.press(operator.link('Security'))
    await operator.press(operator.link('Set up'))
    const key = (await operator.page.locator('#totp-key').textContent()) ?? ''
    const code = computeTotp(key.replace(/\s/g, ''), Date.now())
    await operator.type(operator.field('Code of the app'), code)
    await operator.type(operator.field('Your password'), operator.account.password)
    await operator.press(operator.button('Turn on'))
    await operator.see('Keep these recovery codes')
  },
  'export the messages of a month': async (operator, number) => {
    const today = new Date().toISOString().slice(0, 10)
    await operator.press(operator.link('Messages'))
    await operator.typeDay(operator.field('From (UTC)'), `${today.slice(0, 7)}-01`)
    await operator.typeDay(operator.field('To (UTC)'), today)
    await operator.press(operator.button('Apply'))
    const text = await operator.download(operator.link('Export as CSV'))
    expect(text).toContain('Your table is ready')
    expect(text).toContain(number)
  },
  'export the figures of a month': async operator => {
    await operator.press(operator.link('Statistics'))
    await operator.press(operator.link('This month'))
    const text = await operator.download(operator.link('Export as CSV'))
    expect(text.split('\n')[0]).toContain('created')
  },
}

/** Lets a message fail until the relay gives it up. */
async function createFailedMessage(account: NewAccount, destination: string): Promise<void> {
  const { messages } = openClient(service, account)
  const phone = openPhone(service, account, 'front-desk')
  const { id } = await messages.create({ destination, message: 'Your bicycle is repaired' })
  for (;;) {
    for (;;) {
      const claimed = await phone.messages.next()
      if (claimed === undefined) throw new Error('The message is not due.')
      await phone.messages.reportFailure(claimed.id, { error_message: reason })
      if (claimed.id === id) break
    }
    if ((await messages.get(id)).status === 'F') return
    await messages.retry(id)
  }
}

describeInChromium('tasks', () => {
  test.each([
    ['with the mouse', true, true, '+12025550131'],
    ['with the mouse and without scripts', true, false, '+12025550132'],
    ['with the keyboard only', false, true, '+12025550133'],
  ])(
    'each task takes at most four clicks %s',
    async (_, hasMouse, javaScriptEnabled, number) => {
      const options = { javaScriptEnabled }
      const { page, context } = await openPage(browser, service, onTestFinished, options)
      const account = await addAccount(service, `operator${number}@example.com`)
      await signInByRequest(context, account)
      for (const [name, run] of Object.entries(tasks)) {
        await page.goto('/')
        const operator = new Operator(page, account, hasMouse)
        await run(operator, number)
        expect(operator.clicks, name).toBeLessThanOrEqual(maxClicks)
        expect(operator.clicks, name).toBeGreaterThan(0)
      }
    },
    300_000,
  )
})
