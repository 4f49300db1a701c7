import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Browser, getHiddenField, type PageReply, readRows } from '../browser.js'
import { annEmail, password, startWithBrowsers } from '../dashboard-relay.js'
import { setUpApp } from '../security/second-factor.js'

/** Lines as a spreadsheet program ends them. */
const numbers = 'number,note\r\n+12025550101,a\r\n+12025550102,b\r\n'

interface SentForm {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** The text of its file. */
  readonly file?: string
}

const forms: Readonly<Record<string, SentForm>> = {
  'with fields': { path: '/urls', fields: { name: 'Door', message: 'Two\r\nlines' } },
  'with a file': {
    path: '/do-not-text/import',
    fields: { encoding: 'utf-8', table: '' },
    file: numbers,
  },
}

/** Makes the body of a form; a browser sends the field of a file also without one. */
function createBody({ fields, file }: SentForm, hidden: Readonly<Record<string, string>>) {
  if (file === undefined) return { ...hidden, ...fields }
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...hidden, ...fields })) body.set(name, value)
  body.set('file', new Blob([file]), file === '' ? '' : 'list.csv')
  return body
}

/** Sends the form that a page shows, as a browser without scripts does. */
async function sendShownForm(browser: Browser, page: PageReply, sent: SentForm) {
  const start = page.text.indexOf(`action="${sent.path}"`)
  const form = page.text.slice(start, page.text.indexOf('</form>', start))
  const table = /<textarea[^>]*name="table"[^>]*>\n([^<]*)</.exec(form)?.[1]
  const shown: Record<string, string> =
    table === undefined ? {} : { table: table.replaceAll('\n', '\r\n') }
  const hidden = { csrf: getHiddenField(form, 'csrf'), key: getHiddenField(form, 'key') }
  const file = sent.file === undefined ? {} : { file: '' }
  const body = createBody({ ...sent, ...file, fields: { ...sent.fields, ...shown } }, hidden)
  return await browser.post(sent.path, body)
}

async function start(sent: SentForm) {
  const relay = await startWithBrowsers()
  const { browser, url } = relay
  const csrf = getHiddenField((await browser.get(sent.path)).text, 'csrf')
  const body = createBody(sent, { csrf, key: randomUUID() })
  const post = async () =>
    await browser.post(sent.path, body, { headers: { Referer: `${url}${sent.path}` } })
  return { ...relay, post }
}

const countEffects = async ({ client }: Awaited<ReturnType<typeof start>>) => ({
  urls: (await client.secretUrls.list()).length,
  numbers: (await client.doNotText.list()).length,
})

test.each(Object.keys(forms))(
  'a form %s that had its effect before its session ended has no second one',
  async name => {
    const sent = forms[name] as SentForm
    const relay = await start(sent)
    const { browser, post, url } = relay
    const first = await post()
    const effects = await countEffects(relay)
    await fetch(`${url}/oauth/revoke?token=${browser.cookies.get('smsrelay_session')}`)
    expect((await post()).path).toContain('kept=1')
    const page = await browser.post('/login', { email: annEmail, password, next: sent.path })
    const again = await sendShownForm(browser, page, sent)
    expect(await countEffects(relay)).toEqual(effects)
    expect([again.path, again.notice]).toEqual([first.path, first.notice])
  },
)

test('a form of an earlier session that had its effect has no second one', async () => {
  const sent = forms['with fields'] as SentForm
  const relay = await start(sent)
  const { browser, post } = relay
  const first = await post()
  await browser.signIn(annEmail, password)
  expect((await post()).status).toBe(403)
  const again = await sendShownForm(browser, await browser.get(sent.path), sent)
  expect(again.path).toBe(first.path)
  expect(await countEffects(relay)).toEqual({ urls: 1, numbers: 0 })
})

test('an invitation that is confirmed again with the next code exists once', async () => {
  let now = Date.UTC(2030, 0)
  const { browser, url } = await startWithBrowsers({}, { now: () => now })
  const { app } = await setUpApp(browser, () => now)
  const path = '/settings/people'
  const readCode = () => {
    now += 60_000
    return app.code()
  }
  const csrf = getHiddenField((await browser.get(path)).text, 'csrf')
  const input = { email: 'joe@example.com', role: 'admin' }
  const form = { csrf, key: randomUUID(), ...input }
  const post = async (code: string) =>
    await browser.post(path, { ...form, password, code }, { headers: { Referer: url + path } })
  const countInvitations = async () =>
    readRows((await browser.get(path)).text).filter(([email]) => email === input.email).length
  const first = await post(readCode())
  expect(first.text).toContain('invitation-link')
  expect((await post(readCode())).path).toBe(first.path)
  expect(await countInvitations()).toBe(1)
  await fetch(`${url}/oauth/revoke?token=${browser.cookies.get('smsrelay_session')}`)
  expect((await post(readCode())).path).toContain('kept=1')
  await browser.post('/login', { email: annEmail, password, next: path })
  const page = await browser.post('/login/code', { code: readCode(), next: path, kept: '1' })
  expect(page.text).toContain(`value="${input.email}"`)
  const shown = page.text.slice(page.text.indexOf(`action="${path}"`))
  const [token, key] = [getHiddenField(shown, 'csrf'), getHiddenField(shown, 'key')]
  const again = await browser.post(path, { csrf: token, key, ...input })
  expect(again.path).toBe(first.path)
  expect(await countInvitations()).toBe(1)
})
