import { expect, test } from 'vitest'
import { Browser, getHiddenField, password, startRelay } from '../browser.js'

/** Ann, who is the owner, and Bob, who is not, both signed in. */
async function people() {
  const world = await startRelay()
  const { administration } = world.relay
  const bob = await administration.createAccount({ email: 'bob@example.com', password })
  const [ann, other] = [new Browser(world.url), new Browser(world.url)]
  await ann.signIn()
  await other.signIn('bob@example.com')
  return { ...world, administration, keys: world.ann, bob, ann, other }
}

/** Sends the form of a page with the owner's password. */
async function confirm(browser: Browser, path: string, more: Record<string, string> = {}) {
  const form = (await browser.get(path)).text
  const [csrf, was] = [getHiddenField(form, 'csrf'), getHiddenField(form, 'was')]
  return await browser.post(path, { csrf, was, password, ...more })
}

function secretOn(html: string, id: string): string {
  return new RegExp(`<pre id="${id}" class="secret">\\s*([^<\\s]*)`).exec(html)?.[1] ?? ''
}

async function oauth(url: string, user: string, secret: string): Promise<number> {
  const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return (await fetch(`${url}/oauth`, { headers: { Authorization } })).status
}

test('the owner sees every account and none of its secrets', async () => {
  const { ann, bob, keys } = await people()
  const list = await ann.get('/accounts')
  expect(list.text).toContain('ann@example.com</a> (the owner, you)')
  expect(list.text).toContain(`<a href="/accounts/${bob.id}">bob@example.com</a>`)
  const paths = ['', '/password', '/delete', '/keys/secret', '/keys/api', '/keys/app', '/keys/hook']
  for (const { text } of [
    list,
    ...(await Promise.all(paths.map(path => ann.get(`/accounts/${bob.id}${path}`)))),
  ]) {
    for (const secret of [
      bob.secret_key,
      bob.api_key,
      bob.app_key,
      keys.app_key,
      'scrypt',
      'whsec_',
    ])
      expect(text).not.toContain(secret)
  }
})

test('for everybody else there is nothing at these paths, and no link to them', async () => {
  const { other, bob, keys, administration } = await people()
  expect((await other.get('/')).text).not.toContain('/accounts')
  const missing = await other.get('/nothing')
  const paths = [
    '/accounts',
    '/accounts/new',
    ...[keys.id, bob.id, 'nobody'].flatMap(id =>
      ['', '/password', '/delete', '/keys/api'].map(end => `/accounts/${id}${end}`),
    ),
  ]
  const before = await administration.listAccounts()
  const csrf = getHiddenField((await other.get('/')).text, 'csrf')
  for (const path of paths) {
    const seen = await other.get(path)
    expect(seen.status, path).toBe(404)
    expect(seen.text.replaceAll(path, '/nothing')).toBe(missing.text)
    const form = { csrf, password, email: 'new@example.com', country: 'US', mode: 'at-least-once' }
    expect((await other.post(path, form)).status, path).toBeGreaterThanOrEqual(404)
  }
  expect(await administration.listAccounts()).toEqual(before)
})

test('an account is made with keys that work, shown once', async () => {
  const { ann, url, administration } = await people()
  const email = 'cy@example.com'
  const made = await ann.submit('/accounts/new', { email, country: 'de', mode: 'at-most-once' })
  expect(await administration.showAccount(email)).toMatchObject({
    ...{ country: 'DE', mode: 'at-most-once', owner: false },
  })
  expect(made.headers.get('cache-control')).toBe('no-store')
  const secret = secretOn(made.text, 'secret-key')
  expect(await oauth(url, secret, secretOn(made.text, 'api-key'))).toBe(200)
  expect(await oauth(url, secret, secretOn(made.text, 'app-key'))).toBe(200)
  expect(await oauth(url, email, secretOn(made.text, 'new-password'))).toBe(200)
  expect((await ann.get('/accounts')).text).not.toContain(secret)
})

test('an account that cannot be made is told, the form kept, and none made', async () => {
  const { ann, administration } = await people()
  for (const [email, country] of [
    ['BOB@example.com', 'US'],
    ['"><img src=x>', 'US'],
    ['cy@example.com', '<b>'],
  ] as const) {
    const refused = await ann.submit('/accounts/new', { email, country, mode: 'at-least-once' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).not.toMatch(/<img|<b>/)
  }
  expect(await administration.listAccounts()).toHaveLength(2)
})

test('an address is text wherever it is shown', async () => {
  const { ann, administration, defects } = await people()
  const email = '<b>"\'&@example.com'
  const { id } = await administration.createAccount({ email })
  for (const path of ['/accounts', `/accounts/${id}`, `/accounts/${id}/delete`]) {
    const { text } = await ann.get(path)
    expect(text).toContain('&lt;b>&#34;&#39;&amp;@example.com')
    expect(text).not.toContain('<b>')
  }
  const gone = await confirm(ann, `/accounts/${id}/delete`, { email })
  expect(gone.text).toContain('The account &lt;b>&#34;&#39;&amp;@example.com is deleted.')
  expect(defects).toEqual([])
})

test('a new password is given once, and ends the sessions of the account', async () => {
  const { ann, other, bob, url } = await people()
  const path = `/accounts/${bob.id}/password`
  const form = (await ann.get(path)).text
  const fields = { csrf: getHiddenField(form, 'csrf'), was: getHiddenField(form, 'was'), password }
  const given = secretOn((await ann.post(path, fields)).text, 'new-password')
  expect((await other.get('/')).path).toBe('/login')
  expect((await new Browser(url).signIn('bob@example.com', given)).path).toBe('/')
  expect((await ann.post(path, fields)).text).toContain('It was done already')
  expect((await new Browser(url).signIn('bob@example.com', given)).path).toBe('/')
})

test('keys are replaced, each by itself', async () => {
  const { ann, bob, url } = await people()
  const replaced = await confirm(ann, `/accounts/${bob.id}/keys/api`)
  expect(await oauth(url, bob.secret_key, bob.api_key)).toBe(401)
  expect(await oauth(url, bob.secret_key, secretOn(replaced.text, 'api-key'))).toBe(200)
  expect(await oauth(url, bob.secret_key, bob.app_key)).toBe(200)
  expect((await ann.get(`/accounts/${bob.id}/keys/all`)).status).toBe(404)
})

test('an account is deleted when its address was typed and the password is right', async () => {
  const { ann, other, bob, administration } = await people()
  const path = `/accounts/${bob.id}/delete`
  expect((await confirm(ann, path, { email: '' })).status).toBe(400)
  expect((await confirm(ann, path, { email: 'ann@example.com' })).status).toBe(400)
  expect((await confirm(ann, path, { email: bob.email, password: 'wrong' })).status).toBe(403)
  expect(await administration.listAccounts()).toHaveLength(2)
  const gone = await confirm(ann, path, { email: bob.email })
  expect(gone.path).toBe('/accounts')
  expect(gone.text).toContain('The account bob@example.com is deleted.')
  expect(await administration.listAccounts()).toHaveLength(1)
  expect((await other.get('/')).path).toBe('/login')
  expect((await ann.get(path)).status).toBe(404)
})

test("the owner's own account is left alone by these pages", async () => {
  const { ann, keys, administration } = await people()
  expect((await ann.get(`/accounts/${keys.id}`)).text).toContain('It is changed in the')
  const csrf = getHiddenField((await ann.get('/')).text, 'csrf')
  for (const end of ['password', 'delete', 'keys/api']) {
    const path = `/accounts/${keys.id}/${end}`
    expect((await ann.get(path)).status).toBe(409)
    const form = { csrf, password, email: 'ann@example.com' }
    expect((await ann.post(path, form)).status).toBe(409)
  }
  expect(await administration.listAccounts()).toHaveLength(2)
})

test('who is made the owner sees these pages, and who was it no longer', async () => {
  const { ann, other, administration } = await people()
  await administration.changeAccount('bob@example.com', { owner: true })
  expect((await ann.get('/accounts')).status).toBe(404)
  expect((await other.get('/accounts')).status).toBe(200)
  expect((await other.get('/')).text).toContain('href="/accounts"')
})

test('POST needs the token of the session and a page of ours', async () => {
  const { ann, bob, administration } = await people()
  const before = await administration.listAccounts()
  const csrf = getHiddenField((await ann.get('/')).text, 'csrf')
  const form = { password, email: bob.email, country: 'US', mode: 'at-least-once' }
  const headers = { Origin: 'https://evil.example' }
  for (const path of [
    '/accounts/new',
    `/accounts/${bob.id}/delete`,
    `/accounts/${bob.id}/password`,
  ]) {
    const fields = { ...form, was: getHiddenField((await ann.get(path)).text, 'was') }
    expect((await ann.post(path, fields)).status, path).toBe(403)
    expect((await ann.post(path, { ...fields, csrf }, { headers })).status, path).toBe(403)
  }
  expect(await administration.listAccounts()).toEqual(before)
})
