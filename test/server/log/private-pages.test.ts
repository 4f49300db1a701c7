import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { createPages } from '../../../src/server/dashboard/dashboard-pages.js'
import type { PageSender } from '../../../src/server/dashboard/page/page-sender.js'
import { openLog } from '../../../src/server/log/open-log.js'
import { createDefectReporter } from '../../../src/server/log/report-defect.js'
import { createClock } from '../../../src/util/async/clock.js'
import { createSink } from '../../cli/streams.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { Browser, getHiddenField } from '../dashboard/browser.js'
import { openClient, openPhone } from '../dashboard/dashboard-relay.js'
import { findPlanted } from './planted-values.js'

const email = 'ann@example.com'
const password = 'planted horse battery'
const number = '+12025550187'
const text = 'a planted "text" äöü'
const hook = 'http://hook-user:hook-password@127.0.0.1:1/hook-path?hook=query'
const domain = 'sms.example.com'
const planted = [password, number, number.slice(1), text, 'hook-user', 'hook-password', 'hook-path']

/** Starts a relay that logs everything; `lines` are the events of its log. */
async function startLogged(settings: object = {}) {
  const { stream, text: output } = createSink()
  const log = openLog({ stream, level: 'debug', format: 'json', clock: createClock() })
  const warn = (sentence: string) => log.write('warn', 'warning', sentence)
  const overrides = { log, warn, reportDefect: createDefectReporter(log, true) }
  const dataDir = await temporaryFolder()
  const relay = await createRelay({ dataDir, port: 0, ...settings }, overrides)
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const { url, smtpUrl = '' } = relay
  const ann = await relay.administration.createAccount({ email, password })
  const client = openClient(url, ann)
  const { secret_key, api_key, app_key } = ann
  const routes = () =>
    new Set(
      output()
        .split('\n')
        .flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
        .map(({ method, route }) => `${method} ${route}`),
    )
  const openBrowser = async () => {
    const browser = new Browser(url)
    await browser.signIn(email, password)
    return browser
  }
  const keys = [secret_key, api_key, app_key]
  return { url, smtpUrl, ann, client, openBrowser, output, routes, keys }
}

/** Every page with its methods; the handlers are not called. */
function listPages(): [path: string, methods: string[]][] {
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  const pages = createPages(anything as PageSender)
  return Object.entries(pages).map(([path, methods]) => [path, Object.keys(methods)])
}

/** Records of every kind, whose pages are used by their identifiers. */
async function createRecords({ client, url, ann }: Awaited<ReturnType<typeof startLogged>>) {
  const phone = openPhone(url, ann, { name: 'planted-phone', driver: 'simulate' })
  const message = await client.messages.create({ destination: number, message: text })
  await phone.messages.next()
  await phone.messages.reportFailure(message.id, { error_message: text })
  await phone.receivedTexts.report({ from: number, message: text })
  const subscription = await client.subscriptions.create({ event: 'message.create', url: hook })
  const secretUrl = await client.secretUrls.create({ name: text, destination: [number] })
  const mailbox = await client.mailboxes.create({})
  await client.doNotText.add('+12025550199', { note: text })
  const ids: Record<string, string> = {
    messages: message.id,
    subscriptions: subscription.id,
    urls: secretUrl.id,
    mailboxes: mailbox.id,
    phones: 'planted-phone',
    accounts: ann.id,
  }
  return { ids, secretUrl, mailbox }
}

/** A request whose reply does not matter; streams are left at once. */
async function send(url: string, cookie: string, init: RequestInit = {}): Promise<string> {
  const headers = { accept: 'text/html', cookie, ...init.headers }
  const reply = await fetch(url, { redirect: 'manual', ...init, headers })
  if (reply.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return await reply.text()
  }
  await reply.body?.cancel()
  return ''
}

function toForm(names: Iterable<string>, csrf: string): URLSearchParams {
  const fields = [...names].map((name): [string, string] => {
    if (/password/.test(name)) return [name, `${password}-wrong`]
    return [name, /number|destination|from|to$/.test(name) ? number : text]
  })
  return new URLSearchParams([...fields.filter(([name]) => name !== 'csrf'), ['csrf', csrf]])
}

test('every page and form of the dashboard is used, and nothing secret is logged', async () => {
  const running = await startLogged()
  const { ids } = await createRecords(running)
  const { url, openBrowser, output, routes } = running
  let browser = await openBrowser()
  const cookies: string[] = []
  const names = new Set(['email', 'message', 'destination', 'number'])
  const query = `?q=${encodeURIComponent(number)}&filter=${encodeURIComponent(text)}&next=/${text}`
  const fill = (path: string, id: string) => `${url}${path.replace(/:\w+/g, id)}`
  const pages = listPages()
  for (const method of ['GET', 'POST'])
    for (const [path] of pages.filter(([, methods]) => methods.includes(method))) {
      const own = ids[path.split('/')[1] ?? ''] ?? 'none'
      for (const id of [own, encodeURIComponent(`${number}${text}`)]) {
        let csrf = getHiddenField((await browser.get('/')).text, 'csrf')
        if (csrf === '') {
          browser = await openBrowser()
          csrf = getHiddenField((await browser.get('/')).text, 'csrf')
        }
        const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
        cookies.push(...browser.cookies.values())
        if (method === 'POST') {
          await send(fill(path, id), cookie, { method, body: toForm(names, csrf) })
          await send(fill(path, id), cookie, { method, body: toForm(names, text) })
          continue
        }
        const html = await send(`${fill(path, id)}${query}`, cookie)
        for (const [, name = ''] of html.matchAll(/ name="([\w.-]+)"/g)) names.add(name)
      }
    }
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const form = { key, destination: number, message: text, send_on: '', zone: 'UTC' }
  expect((await browser.submit('/send', form)).path).toMatch(/^\/messages\/[\da-f-]{36}/)
  await new Browser(url).signIn(email, `${password}-wrong`)
  await browser.submit('/logout')
  const used = pages.flatMap(([path, methods]) => methods.map(method => `${method} ${path}`))
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter(route => !routes().has(route))).toEqual([])
  expect(names.size).toBeGreaterThan(30)
  expect(output()).not.toContain('internal_error')
  expect(findPlanted(output(), [...planted, ...running.keys, ...cookies])).toEqual([])
})

test('secret URLs and mail are used, and nothing secret is logged', async () => {
  const running = await startLogged({ smtpPort: 0, smtpDomain: domain })
  const { secretUrl, mailbox } = await createRecords(running)
  const { url, smtpUrl, output, routes, keys } = running
  const address = new URL(secretUrl.url ?? '').pathname
  const query = `?message=${encodeURIComponent(text)}&destination=${encodeURIComponent(number)}`
  for (const path of [address, `${address}x`, `/u/${encodeURIComponent(text)}`, `${address}/more`])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
      await send(`${url}${path}${query}`, '', { method })
      if (method !== 'POST') continue
      await send(`${url}${path}`, '', { method, body: `{"message": "${text}` })
    }
  const port = Number(/\d+$/.exec(smtpUrl))
  const mail = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  onTestFinished(() => mail.close())
  const to = mailbox.address.replace('<number>', number)
  const [local = ''] = to.split('@')
  const sent: boolean[] = []
  for (const recipient of [to, `${number}.wrong-key@${domain}`, `${local}@elsewhere.example`]) {
    const content = { from: 'planted-sender@example.org', subject: text, text }
    sent.push(await mail.sendMail({ ...content, to: recipient }).then(Boolean, () => false))
  }
  expect(sent).toEqual([true, false, false])
  expect(routes()).toContain('GET /u/:secret')
  expect(output()).not.toContain('internal_error')
  const secrets = [address.slice('/u/'.length), mailbox.key ?? local]
  expect(findPlanted(output(), [...planted, ...keys, ...secrets])).toEqual([])
})
