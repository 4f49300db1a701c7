import { expect, test } from 'vitest'
import { Browser, getHiddenField, getShownSecret } from '../browser.js'
import {
  annEmail,
  bobEmail,
  password,
  requestToken,
  startWithBrowsers,
} from '../dashboard-relay.js'

async function confirm(browser: Browser, path: string, fields: Record<string, string> = {}) {
  const form = (await browser.get(path)).text
  const [csrf, was] = [getHiddenField(form, 'csrf'), getHiddenField(form, 'was')]
  return await browser.post(path, { csrf, was, password, ...fields })
}

test('the owner sees every account, without its secrets', async () => {
  const { browser, ann, bob } = await startWithBrowsers()
  const list = await browser.get('/accounts')
  expect(list.text).toContain(annEmail)
  expect(list.text).toContain(`<a href="/accounts/${bob.id}">${bobEmail}</a>`)
  const paths = ['', '/password', '/delete', '/keys/secret', '/keys/api', '/keys/app', '/keys/hook']
  const pages = paths.map(path => browser.get(`/accounts/${bob.id}${path}`))
  const secrets = [bob.secret_key, bob.api_key, bob.app_key, ann.app_key, 'scrypt', 'whsec_']
  for (const { text } of [list, ...(await Promise.all(pages))])
    for (const secret of secrets) expect(text).not.toContain(secret)
})

test('the paths answer 404 to every other account, which sees no link to them', async () => {
  const { bobBrowser, ann, bob, administration } = await startWithBrowsers()
  expect((await bobBrowser.get('/')).text).not.toContain('/accounts')
  const missing = await bobBrowser.get('/nothing')
  const paths = [
    '/accounts',
    '/accounts/new',
    ...[ann.id, bob.id, 'nobody'].flatMap(id =>
      ['', '/password', '/delete', '/keys/api', '/limits'].map(end => `/accounts/${id}${end}`),
    ),
  ]
  const before = await administration.listAccounts()
  const csrf = getHiddenField((await bobBrowser.get('/')).text, 'csrf')
  for (const path of paths) {
    const page = await bobBrowser.get(path)
    expect(page.status, path).toBe(404)
    expect(withoutRequest(page.text.replaceAll(path, '/nothing'))).toBe(
      withoutRequest(missing.text),
    )
    const form = { csrf, password, email: 'new@example.com', country: 'US', mode: 'at-least-once' }
    expect((await bobBrowser.post(path, form)).status, path).toBeGreaterThanOrEqual(404)
  }
  expect(await administration.listAccounts()).toEqual(before)
})

/** A page of an error without the id of its request and the keys of its forms. */
function withoutRequest(text: string): string {
  return text
    .replace(/>Request [\w-]+</, '')
    .replace(/<!-- [\w-]* -->/, '')
    .replaceAll(/(name="key" value|name="csrf" value|data-csrf)="[\w-]+"/g, '')
}

test('a new account has keys that work and are shown once', async () => {
  const { browser, url, administration } = await startWithBrowsers()
  const email = 'cy@example.com'
  const created = await browser.submit('/accounts/new', {
    ...{ email, country: 'de', mode: 'at-most-once' },
  })
  expect(await administration.showAccount(email)).toMatchObject({
    ...{ country: 'DE', mode: 'at-most-once', owner: false },
  })
  expect(created.headers.get('cache-control')).toBe('no-store')
  const secret = getShownSecret(created.text, 'secret-key')
  for (const [user, id] of [
    [secret, 'api-key'],
    [secret, 'app-key'],
    [email, 'new-password'],
  ] as const)
    expect(await requestToken(url, user, getShownSecret(created.text, id)), id).toBe(200)
  expect((await browser.get('/accounts')).text).not.toContain(secret)
})

test('an invalid new account is rejected and its form is shown again', async () => {
  const { browser, administration } = await startWithBrowsers()
  for (const [email, country, wrong] of [
    ['BOB@example.com', 'US', 'email'],
    ['"><img src=x>', 'US', 'email'],
    ['cy@example.com', '<b>', 'country'],
  ] as const) {
    const rejected = await browser.submit('/accounts/new', {
      email,
      country,
      mode: 'at-least-once',
    })
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual([wrong])
    expect(rejected.text).not.toMatch(/<img|<b>/)
  }
  expect(await administration.listAccounts()).toHaveLength(2)
})

test('a new password is set once by one form and ends the sessions of the account', async () => {
  const { browser, bobBrowser, bob, url } = await startWithBrowsers()
  const path = `/accounts/${bob.id}/password`
  const form = (await browser.get(path)).text
  const was = getHiddenField(form, 'was')
  const fields = { csrf: getHiddenField(form, 'csrf'), was, password }
  const newPassword = getShownSecret((await browser.post(path, fields)).text, 'new-password')
  expect((await bobBrowser.get('/')).path).toBe('/login')
  expect((await new Browser(url).signIn(bobEmail, newPassword)).path).toBe('/')
  expect((await browser.post(path, fields)).notice?.kind).toBe('failed')
  expect((await new Browser(url).signIn(bobEmail, newPassword)).path).toBe('/')
})

test('one key is replaced without the others', async () => {
  const { browser, bob, url } = await startWithBrowsers()
  const replaced = await confirm(browser, `/accounts/${bob.id}/keys/api`)
  const newKey = getShownSecret(replaced.text, 'api-key')
  expect(await requestToken(url, bob.secret_key, bob.api_key)).toBe(401)
  expect(await requestToken(url, bob.secret_key, newKey)).toBe(200)
  expect(await requestToken(url, bob.secret_key, bob.app_key)).toBe(200)
  expect((await browser.get(`/accounts/${bob.id}/keys/all`)).status).toBe(404)
})

test('deleting an account needs its e-mail address and the password of the owner', async () => {
  const { browser, bobBrowser, bob, administration } = await startWithBrowsers()
  const path = `/accounts/${bob.id}/delete`
  expect((await confirm(browser, path, { email: '' })).status).toBe(400)
  const wrong = await confirm(browser, path, { email: annEmail })
  expect([wrong.status, Object.keys(wrong.errors)]).toEqual([400, ['email']])
  const forged = await confirm(browser, path, { email: bobEmail, password: 'wrong' })
  expect([forged.status, Object.keys(forged.errors)]).toEqual([403, ['password']])
  expect(await administration.listAccounts()).toHaveLength(2)
  const deleted = await confirm(browser, path, { email: bobEmail })
  expect(deleted.path).toBe('/accounts')
  expect(deleted.notice?.text).toContain(bobEmail)
  expect(await administration.listAccounts()).toHaveLength(1)
  expect((await bobBrowser.get('/')).path).toBe('/login')
  expect((await browser.get(path)).status).toBe(404)
})

test("the owner's own account cannot be changed on these pages", async () => {
  const { browser, ann, administration } = await startWithBrowsers()
  const own = await browser.get(`/accounts/${ann.id}`)
  expect(own.text).not.toMatch(/\/accounts\/[\w-]+\/(?!limits)/)
  const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
  for (const end of ['password', 'delete', 'keys/api']) {
    const path = `/accounts/${ann.id}/${end}`
    expect((await browser.get(path)).status).toBe(409)
    const form = { csrf, password, email: annEmail }
    expect((await browser.post(path, form)).status).toBe(409)
  }
  expect(await administration.listAccounts()).toHaveLength(2)
})

test('a change of owner takes effect at once', async () => {
  const { browser, bobBrowser, administration } = await startWithBrowsers()
  await administration.changeAccount(bobEmail, { owner: true })
  expect((await browser.get('/accounts')).status).toBe(404)
  expect((await bobBrowser.get('/accounts')).status).toBe(200)
  expect((await bobBrowser.get('/')).text).toContain('href="/accounts"')
})
