import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { expectGuarded, openClient, startWithBrowsers } from '../signed-in.js'

const number = '+12025550123'
const path = '/subscriptions'
const form = {
  ...{ event: 'message.create', url: 'http://ann:pass@127.0.0.1:1/hook?x=1', method: 'POST' },
  ...{ post: 'true', on_exhausted: 'pause' },
}

async function world() {
  const all = await startWithBrowsers()
  const client = openClient(all.url, all.ann)
  const create = async (fields: Record<string, string> = {}, by = all.browser) =>
    await by.submit(path, { ...form, ...fields })
  return { ...all, client, create }
}

/** A receiver that answers `status` and `reply` to what comes, and tells of each. */
async function receiver(status: number, reply = '') {
  const answer = { status, reply }
  const seen: string[] = []
  let tell: () => void = () => {}
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.push(`${request.method} ${request.url}`)
      response.writeHead(answer.status).end(answer.reply)
      tell()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  /** Resolves when so many hits came. */
  const hits = async (count: number) => {
    while (seen.length < count) await new Promise<void>(resolve => (tell = resolve))
  }
  return { url: `http://127.0.0.1:${port}/hook`, seen, hits, answer }
}

/** Loads a page until it says so. */
async function until(get: () => Promise<{ text: string }>, words: RegExp): Promise<string> {
  for (;;) {
    const { text } = await get()
    if (words.test(text)) return text
  }
}

test('a subscription is made, shown without its login, edited and deleted', async () => {
  const { browser, create, client } = await world()
  const made = await create()
  expect(made.path).toMatch(/^\/subscriptions\/[\w-]+$/)
  expect(made.text).toContain('http://•••@127.0.0.1:1/hook?x=1')
  for (const at of [path, made.path, `${made.path}/edit`]) {
    const { text } = await browser.get(at)
    expect(text).toContain('•••@127.0.0.1:1')
    expect(text).not.toContain('pass@')
  }
  const shown = { ...form, url: 'http://•••@127.0.0.1:1/other', method: 'PUT' }
  await browser.submit(`${made.path}/edit`, shown)
  expect(await client.subscriptions.list()).toMatchObject([
    { url: 'http://ann:pass@127.0.0.1:1/other', method: 'PUT', post: true },
  ])
  const same = await browser.submit(`${made.path}/edit`, shown)
  expect(same.text).toContain('Nothing was changed.')
  const elsewhere = { ...shown, url: 'http://•••@127.0.0.2:1/other' }
  const refused = await browser.submit(`${made.path}/edit`, elsewhere)
  expect(refused.text).toMatch(/id="url-error"[^>]*>Give login and password again/)
  expect((await browser.submit(`${made.path}/delete`)).path).toBe(path)
  expect(await client.subscriptions.list()).toEqual([])
})

test.each([
  ['url', { url: 'ftp://example.com' }, 'It must start with http:// or https://'],
  ['url', { url: 'http://10.0.0.1/' }, 'It must not be at a private address'],
  ['method', { method: 'NO GOOD' }, 'It must be a valid HTTP token'],
  ['event', { event: 'message.lost' }, 'It must be exactly one of'],
])('what is wrong with %s is told there, and the rest is kept', async (name, fields, sentence) => {
  const { browser, create, client } = await world()
  const seen = await create({ on_exhausted: 'skip', ...fields })
  expect(seen.status).toBe(400)
  expect(seen.text).toMatch(new RegExp(`id="${name}-error"[^>]*>${sentence}`))
  expect(seen.text).toContain('<option value="skip" selected>')
  expect(await client.subscriptions.list()).toEqual([])
  if (name === 'event') return
  const { path: own } = await create()
  expect((await browser.submit(`${own}/edit`, { ...form, ...fields })).text).toContain(sentence)
})

test('tries are listed with their answers, and an event is skipped, replayed and resent', async () => {
  const { browser, create, client } = await world()
  const { url, seen, hits, answer } = await receiver(500, allPayloads)
  const { path: own } = await create({ url })
  const { id } = await client.messages.create({ destination: number, message: 'Hello' })
  await hits(1)
  const failed = await until(
    () => browser.get(own),
    /Waiting<\/span>[\s\S]*to try again at[\s\S]*failed \(500\)/,
  )
  expect(failed).toContain('&lt;script>alert(1)&lt;/script>')
  expectNoMarkup(failed)
  expect((await browser.get(path)).text).toMatch(/<td>1, since <time[\s\S]*failed \(500\), <time/)
  expect((await browser.submit(`${own}/pause`)).text).toContain('by request')
  const sequence = /Skip permanently: event (\d+)/.exec((await browser.get(own)).text)?.[1] ?? ''
  const other = await browser.submit(`${own}/skip`, { sequence: '999' })
  expect(other.text).toContain('Event 999 does not wait')
  expect((await browser.submit(`${own}/skip`, { sequence })).text).toContain('is skipped')
  expect((await browser.submit(`${own}/resume`)).text).toContain('Active')
  answer.status = 200
  const before = seen.length
  const resent = await browser.submit(`${own}/resend`, { sequence })
  expect(resent.text).toContain(`Event ${sequence} was resent, answered with 200.`)
  const wrong = await browser.submit(`${own}/replay`, { from: '0' })
  expect(wrong.text).toContain('from must be an integer')
  await browser.submit(`${own}/replay`, { from: sequence })
  await hits(before + 2)
  const text = await until(() => browser.get(own), /delivered \(200\)[\s\S]*resent/)
  expect(text).toContain('given up')
  expect(id).not.toBe('')
  expect((await browser.get(`${own}?failed=true`)).text).not.toContain('delivered (200)')
})

test("another account's subscription is missing, in every page and form", async () => {
  const { bob, create, client } = await world()
  const { path: own } = await create()
  expect((await bob.get(path)).text).toContain('There is no subscription.')
  for (const page of ['', '/edit']) expect((await bob.get(own + page)).status).toBe(404)
  for (const verb of ['edit', 'pause', 'resume', 'skip', 'replay', 'resend', 'delete']) {
    const fields = { ...form, sequence: '1', from: '1' }
    expect((await bob.submit(`${own}/${verb}`, fields)).status, verb).toBe(404)
  }
  expect(await client.subscriptions.list()).toMatchObject([{ state: 'active' }])
})

test('no payload becomes markup, and forms need their token', async () => {
  const { browser, url, create, client, defects } = await world()
  const paths = ['', '/x/edit', '/x/pause', '/x/resume', '/x/skip', '/x/replay', '/x/resend']
  for (const each of [...paths, '/x/delete']) {
    await expectGuarded(browser, url, path + each, form)
  }
  expect(await client.subscriptions.list()).toEqual([])
  const hostile = `http://127.0.0.1:1/?"'><svg/onload=alert(1)><script>alert(1)</script>&lt;`
  const made = await create({ url: hostile })
  for (const at of [path, made.path, `${made.path}/edit`]) {
    const { text } = await browser.get(at)
    expect(text).toContain('&lt;svg')
    expectNoMarkup(text)
  }
  const all = Object.fromEntries(Object.keys(form).map(name => [name, allPayloads]))
  expectNoMarkup((await create(all)).text)
  expectNoMarkup((await browser.submit(`${made.path}/edit`, all)).text)
  const said = await browser.submit(`${made.path}/replay`, { from: allPayloads })
  expectNoMarkup(said.text)
  expectNoMarkup((await browser.get(`${path}?start=${encodeURIComponent(allPayloads)}`)).text)
  expect(defects).toEqual([])
})
