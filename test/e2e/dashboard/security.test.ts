import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { computeTotp } from '../../../src/util/crypto/totp.js'
import { checkPage, type Faults, recordFaults } from './check-pages.js'
import { addAccount, openPage, signIn } from './dashboard-service.js'
import { browser, describeInChromium, service } from './describe-in-chromium.js'

const step = 30_000

/** Adds an authenticator to the browser that has a passkey ready for each request. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enterPassword(page: Page, { email, password }: NewAccount): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/login/code')
}

async function signOut(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.waitForURL('/login')
}

describeInChromium('the second factor', () => {
  test.each([true, false])(
    'an authenticator app is turned on in 3 clicks and signs in, with scripts: %s',
    async javaScriptEnabled => {
      const account = await addAccount(service, `app-${javaScriptEnabled}@example.com`)
      const { page } = await openPage(browser, service, onTestFinished, { javaScriptEnabled })
      const faults: Faults = []
      recordFaults(page, faults)
      await signIn(page, account)
      let clicks = 0
      const click = async (role: 'link' | 'button', name: string) => {
        clicks += 1
        await page.getByRole(role, { name, exact: true }).click()
      }
      await click('link', 'Security')
      await click('link', 'Set up')
      const shown = (await page.locator('#totp-key').textContent()) ?? ''
      const secret = shown.replace(/\s/g, '')
      const time = Date.now()
      await page.getByLabel('Code of the app').fill(computeTotp(secret, time))
      await page.getByLabel('Your password').fill(account.password)
      await click('button', 'Turn on')
      await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
      expect(clicks).toBeLessThanOrEqual(4)
      const [code = ''] = ((await page.locator('#recovery-codes').textContent()) ?? '')
        .trim()
        .split('\n')
      if (javaScriptEnabled) await checkPage(page, faults)
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await page.getByText('10 left').waitFor()
      if (javaScriptEnabled) await checkPage(page, faults)
      await signOut(page)
      await enterPassword(page, account)
      if (javaScriptEnabled) await checkPage(page, faults)
      // The step of the first code is over for codes that come after it.
      const later = Math.max(time + step, Date.now())
      await page.getByLabel('Code').fill(computeTotp(secret, later))
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL('/')
      await signOut(page)
      await enterPassword(page, account)
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL('/')
      for (const path of ['authenticator/remove', 'recovery-codes']) {
        await page.goto(`/settings/security/${path}`)
        await page.getByLabel('Code', { exact: true }).waitFor()
        if (javaScriptEnabled) await checkPage(page, faults)
      }
      expect(faults).toEqual([])
    },
  )

  test('a passkey is made, signs in, confirms a new key, and is removed', async () => {
    const account = await addAccount(service, 'passkey@example.com')
    const url = service.url.replace('127.0.0.1', 'localhost')
    const { page, context } = await openPage(browser, { url }, onTestFinished)
    const faults: Faults = []
    recordFaults(page, faults)
    await addAuthenticator(context, page)
    await signIn(page, account)
    await page.goto('/settings/security')
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Your password').fill(account.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await checkPage(page, faults)
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    await checkPage(page, faults)
    await signOut(page)
    await enterPassword(page, account)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('/')
    await page.goto('/settings/keys/app')
    await page.getByLabel('Your password').fill(account.password)
    await checkPage(page, faults)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.locator('#app-key').waitFor()
    await page.goto('/settings/security')
    await page.getByRole('link', { name: 'Remove the passkey Laptop' }).click()
    await page.getByLabel('Your password').fill(account.password)
    await checkPage(page, faults)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('You have no passkeys.').waitFor()
    await signOut(page)
    await signIn(page, account)
    expect(faults).toEqual([])
  })

  test('a person sees the other session and signs it out', async () => {
    const account = await addAccount(service, 'sessions@example.com')
    const other = await openPage(browser, service, onTestFinished)
    await signIn(other.page, account)
    const { page } = await openPage(browser, service, onTestFinished)
    const faults: Faults = []
    recordFaults(page, faults)
    await signIn(page, account)
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByText('this session', { exact: true }).waitFor()
    await checkPage(page, faults)
    await page.getByRole('button', { name: 'Sign out the others' }).click()
    await page.getByText('The other session has ended.').waitFor()
    // The page is live, so it goes there by itself.
    await other.page.waitForURL(({ pathname }) => pathname === '/login')
    expect(faults).toEqual([])
  })
})
