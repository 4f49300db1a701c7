import { expect, test } from 'vitest'
import { previousSecretLifetime } from '../../../../src/domain/webhook/signing-secret.js'
import { type Browser, getHiddenField, getShownSecret } from '../browser.js'
import { ownRelay, password, requestToken, startRelay } from '../dashboard-relay.js'

const path = '/settings/keys'
const minute = 60_000

async function start(settings: typeof ownRelay = {}) {
  let now = Date.UTC(2030, 5, 15)
  const relay = await startRelay(settings, { now: () => now })
  const browser = await relay.openBrowser()
  const advanceTime = (milliseconds: number) => {
    now += milliseconds
  }
  return { ...relay, browser, advanceTime }
}

async function replace(browser: Browser, name: string, fields: Record<string, string> = {}) {
  const form = (await browser.get(`${path}/${name}`)).text
  const [csrf, was] = [getHiddenField(form, 'csrf'), getHiddenField(form, 'was')]
  return await browser.post(`${path}/${name}`, { csrf, was, password, ...fields })
}

test('keys are shown only after the password is entered, and the API key never', async () => {
  const { browser, ann } = await start()
  const secrets = [ann.secret_key, ann.app_key, ann.api_key, 'whsec_']
  for (const page of ['/', '/send', '/messages', '/settings', path, `${path}/app`]) {
    const { text } = await browser.get(page)
    for (const secret of secrets) expect(text, page).not.toContain(secret)
  }
  for (const wrong of ['', 'wrong']) {
    const refused = await browser.submit(path, { password: wrong })
    expect(refused.status).toBe(403)
    expect(Object.keys(refused.errors)).toEqual(['password'])
    for (const secret of secrets) expect(refused.text).not.toContain(secret)
  }
  const shown = await browser.submit(path, { password })
  expect(getShownSecret(shown.text, 'secret-key')).toBe(ann.secret_key)
  expect(getShownSecret(shown.text, 'app-key')).toBe(ann.app_key)
  expect(getShownSecret(shown.text, 'hook-key')).toMatch(/^whsec_/)
  expect(shown.text).not.toContain(ann.api_key)
  expect(shown.headers.get('cache-control')).toBe('no-store')
})

test('keys are shown for ten minutes, to the session that entered the password', async () => {
  const { browser, ann, advanceTime, openBrowser } = await start()
  const shows = async (each: Browser) => (await each.get(path)).text.includes(ann.app_key)
  const csrf = getHiddenField((await browser.get(path)).text, 'csrf')
  const form = { csrf, key: 'a'.repeat(22), password }
  const shown = await browser.post(path, form)
  expect(shown.text).toContain(ann.app_key)
  expect(shown.headers.get('refresh')).toBe('600')
  expect(await shows(await openBrowser())).toBe(false)
  advanceTime(9 * minute)
  expect((await browser.get(path)).headers.get('refresh')).toBe('60')
  expect(await shows(browser)).toBe(true)
  advanceTime(minute)
  expect(await shows(browser)).toBe(false)
})

test('keys are hidden before their time is over', async () => {
  const { browser, ann } = await start()
  expect((await browser.submit(path, { password })).text).toContain(ann.app_key)
  expect((await browser.submit(path, { hide: '1' })).text).not.toContain(ann.app_key)
  expect((await browser.get(path)).text).not.toContain(ann.app_key)
})

test('a new key works in place of the old one and is shown once', async () => {
  const { browser, ann, url } = await start()
  const confirmation = await browser.get(`${path}/api`)
  expect(confirmation.text).toMatch(/class="crumbs"[^>]*><a href="\/settings\/keys"/)
  const api = await replace(browser, 'api')
  expect(api.headers.get('cache-control')).toBe('no-store')
  const apiKey = getShownSecret(api.text, 'api-key')
  expect(await requestToken(url, ann.secret_key, ann.api_key)).toBe(401)
  expect(await requestToken(url, ann.secret_key, apiKey)).toBe(200)
  expect((await browser.submit(path, { password })).text).not.toContain(apiKey)
  const appKey = getShownSecret((await replace(browser, 'app')).text, 'app-key')
  expect(await requestToken(url, ann.secret_key, ann.app_key)).toBe(401)
  expect(await requestToken(url, ann.secret_key, appKey)).toBe(200)
  const secretKey = getShownSecret((await replace(browser, 'secret')).text, 'secret-key')
  expect(await requestToken(url, ann.secret_key, apiKey)).toBe(401)
  expect(await requestToken(url, secretKey, apiKey)).toBe(200)
})

test('the previous signing secret is listed with its end for 24 hours', async () => {
  const { browser, advanceTime, openBrowser } = await start()
  const before = getShownSecret((await browser.submit(path, { password })).text, 'hook-key')
  const after = getShownSecret((await replace(browser, 'hook')).text, 'hook-key')
  expect(after).toMatch(/^whsec_/)
  expect(after).not.toBe(before)
  const end = '<time datetime="2030-06-16T00:00:00.000Z"'
  expect((await browser.get(path)).text).toContain(end)
  advanceTime(previousSecretLifetime)
  expect((await (await openBrowser()).get(path)).text).not.toContain(end)
})

test('replacing a key needs the password, and one form replaces it once', async () => {
  const { browser, ann, url } = await start()
  expect((await replace(browser, 'api', { password: 'wrong' })).status).toBe(403)
  expect((await replace(browser, 'api', { password: '' })).status).toBe(403)
  expect((await replace(browser, 'api', { was: '' })).notice?.kind).toBe('failed')
  expect(await requestToken(url, ann.secret_key, ann.api_key)).toBe(200)
  const form = (await browser.get(`${path}/api`)).text
  const was = getHiddenField(form, 'was')
  const fields = { csrf: getHiddenField(form, 'csrf'), was, password }
  const first = getShownSecret((await browser.post(`${path}/api`, fields)).text, 'api-key')
  const second = await browser.post(`${path}/api`, fields)
  expect(second.path).toBe(path)
  expect(second.notice?.kind).toBe('failed')
  expect(await requestToken(url, ann.secret_key, first)).toBe(200)
})

test('wrong passwords are throttled as failed sign-ins', async () => {
  const { browser } = await start(ownRelay)
  const confirm = async (guess: string) =>
    (await replace(browser, 'api', { password: guess })).status
  for (let tries = 0; tries < 10; tries += 1) expect(await confirm(`wrong ${tries}`)).toBe(403)
  expect(await confirm(password)).toBe(429)
})

test('an unknown key answers 404', async () => {
  const { browser } = await start()
  for (const name of ['all', 'toString', '%3Cb%3E']) {
    expect((await browser.get(`${path}/${name}`)).status).toBe(404)
    expect((await replace(browser, name)).status).toBe(404)
  }
})
