import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { countRows, getHiddenField, listStates, readRows } from '../browser.js'
import { password, startWithBrowsers } from '../dashboard-relay.js'
import { allPayloads, expectNoMarkup } from '../payloads.js'

const path = '/subscriptions'
const form = {
  ...{ event: 'message.create', url: 'http://ann:pass@127.0.0.1:1/hook?x=1', method: 'POST' },
  ...{ post: 'true', on_exhausted: 'pause' },
}

async function start() {
  const relay = await startWithBrowsers()
  const create = async (fields: Record<string, string> = {}) =>
    await relay.browser.submit(path, { ...form, ...fields })
  return { ...relay, create }
}

async function startReceiver(status: number, body: string) {
  const reply = { status, body }
  let count = 0
  let notify = () => {}
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1
      response.writeHead(reply.status).end(reply.body)
      notify()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const waitForRequests = async (total: number) => {
    while (count < total)
      await new Promise<void>(resolve => {
        notify = resolve
      })
  }
  return { url: `http://127.0.0.1:${port}/hook`, reply, waitForRequests, getCount: () => count }
}

async function loadUntil(load: () => Promise<{ text: string }>, pattern: RegExp): Promise<string> {
  for (;;) {
    const { text } = await load()
    if (pattern.test(text)) return text
  }
}

test('a subscription is created, shown without its login, edited and deleted', async () => {
  const { browser, create, client } = await start()
  const created = await create()
  expect(created.path).toMatch(/^\/subscriptions\/[\w-]+$/)
  expect(created.text).toContain('http://•••@127.0.0.1:1/hook?x=1')
  for (const page of [path, created.path, `${created.path}/edit`]) {
    const { text } = await browser.get(page)
    expect(text).toContain('•••@127.0.0.1:1')
    expect(text).not.toContain('pass@')
  }
  const edited = { ...form, url: 'http://•••@127.0.0.1:1/other', method: 'PUT' }
  await browser.submit(`${created.path}/edit`, edited)
  expect(await client.subscriptions.list()).toMatchObject([
    { url: 'http://ann:pass@127.0.0.1:1/other', method: 'PUT', post: true },
  ])
  const delivery = { window: '4', retry_schedule: '5, 60' }
  await browser.submit(`${created.path}/edit`, { ...edited, ...delivery })
  const [changed] = await client.subscriptions.list()
  expect(changed).toMatchObject({ window: 4, retry_schedule: [5, 60] })
  const wide = await browser.submit(`${created.path}/edit`, { ...edited, window: '33' })
  expect(Object.keys(wide.errors)).toEqual(['window'])
  await browser.submit(`${created.path}/edit`, { ...edited, window: '1' })
  expect((await client.subscriptions.list())[0]).not.toHaveProperty('retry_schedule')
  const unchanged = await browser.submit(`${created.path}/edit`, edited)
  expect(unchanged).toMatchObject({ path: created.path, notice: { kind: 'done' } })
  const elsewhere = { ...edited, url: 'http://•••@127.0.0.2:1/other' }
  const rejected = await browser.submit(`${created.path}/edit`, elsewhere)
  expect(Object.keys(rejected.errors)).toEqual(['url'])
  expect((await browser.submit(`${created.path}/delete`)).path).toBe(path)
  expect(await client.subscriptions.list()).toEqual([])
})

test('values of header fields are not shown, stay if masked, and go with their line', async () => {
  const { browser, create, client } = await start()
  const headers = 'X-Team: ops\r\nX-Key: geheim: 1'
  const url = 'http://127.0.0.1:1/hook'
  const { path: page } = await create({ url, headers })
  const readNames = async () => (await client.subscriptions.list()).map(each => each.header_names)
  expect(await readNames()).toEqual([['X-Team', 'X-Key']])
  const edit = `${page}/edit`
  for (const each of [page, edit]) {
    const { text } = await browser.get(each)
    expect(text).toContain('X-Key')
    expect(text).not.toContain('geheim')
  }
  const fields = { ...form, url, headers: 'X-Key: •••\r\nX-New: 2' }
  const moved = await browser.submit(edit, { ...fields, url: 'http://127.0.0.1:2/hook' })
  expect(moved.status).toBe(400)
  expect(moved.errors.headers).toContain('give X-Key again')
  expect((await browser.submit(edit, fields)).notice?.kind).toBe('done')
  expect(await readNames()).toEqual([['X-Key', 'X-New']])
  const wrong = await browser.submit(edit, { ...fields, headers: 'no colon' })
  expect(wrong.errors.headers).toContain('must not have the name &#34;no colon&#34;')
})

test.each([
  ['url', { url: 'ftp://example.com' }],
  ['url', { url: 'http://10.0.0.1/' }],
  ['method', { method: 'NO GOOD' }],
  ['event', { event: 'message.lost' }],
])(
  'an invalid %s is reported at its field, and the form keeps its values',
  async (name, fields) => {
    const { browser, create, client } = await start()
    const rejected = await create({ on_exhausted: 'skip', ...fields })
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual([name])
    expect(rejected.text).toContain('<option value="skip" selected>')
    expect(await client.subscriptions.list()).toEqual([])
    if (name === 'event') return
    const { path: page } = await create()
    const edited = await browser.submit(`${page}/edit`, { ...form, ...fields })
    expect(Object.keys(edited.errors)).toEqual([name])
  },
)

test('deliveries are listed, and an event is skipped, replayed and resent', async () => {
  const { browser, create, client } = await start()
  const { url, reply, waitForRequests, getCount } = await startReceiver(500, allPayloads)
  const { path: page } = await create({ url })
  await client.messages.create({ destination: '+12025550123', message: 'Hello' })
  await waitForRequests(1)
  const failed = await loadUntil(() => browser.get(page), /<\/svg>Retrying<[\s\S]*\(500\)/)
  expect(failed).toContain('&lt;script>alert(1)&lt;/script>')
  expectNoMarkup(failed)
  expect(failed).toContain('There is 1 waiting event.')
  expect(failed).toMatch(
    /Succeeded, 0<.*Failed, 1<.*Last error, .*replied 500.*Waiting<\/dt><dd>1<.* ms<\/dd>/s,
  )
  expect(failed).toMatch(/<pre class="said">\s*POST http:.*webhook-sequence: \d+\n/s)
  expect(readRows((await browser.get(path)).text)[0]?.slice(4)).toEqual([
    expect.stringMatching(/^1, since /),
    expect.stringMatching(/\(500\), /),
  ])
  expect(listStates((await browser.submit(`${page}/pause`)).text)[0]).toBe('Paused')
  const sequence = /name="sequence" value="(\d+)"/.exec((await browser.get(page)).text)?.[1] ?? ''
  const wrong = await browser.submit(`${page}/skip`, { sequence: '999' })
  expect(wrong.notice).toMatchObject({ kind: 'failed', text: expect.stringContaining('999') })
  const skipped = await browser.submit(`${page}/skip`, { sequence })
  expect(skipped.notice).toMatchObject({ kind: 'done', text: expect.stringContaining(sequence) })
  expect(listStates((await browser.submit(`${page}/resume`)).text)[0]).toBe('Active')
  const failedResend = await browser.submit(`${page}/resend`, { sequence })
  expect(failedResend.notice).toMatchObject({
    kind: 'failed',
    text: expect.stringContaining('500'),
  })
  reply.status = 200
  const before = getCount()
  const resent = await browser.submit(`${page}/resend`, { sequence })
  expect(resent.notice).toMatchObject({ kind: 'done', text: expect.stringContaining('200') })
  const invalid = await browser.submit(`${page}/replay`, { from: '0' })
  expect(invalid.notice?.text).toContain('From must be an integer')
  const early = await browser.submit(`${page}/replay`, { from: '1' })
  expect(early.notice?.text).toContain('Event 1 is not retained')
  await browser.submit(`${page}/replay`, { from: ` ${sequence} ` })
  await waitForRequests(before + 2)
  await loadUntil(() => browser.get(page), /delivered \(200\)[\s\S]*delivered \(200\)/)
  expect((await browser.get(page)).text).toMatch(/Last error, .*: The receiver replied 500/)
  const failures = (await browser.get(`${page}?failed=true`)).text
  expect(failures).toContain('(500)')
  expect(failures).toContain('abandoned')
  expect(failures).not.toContain('(200)')
})

test("another account's subscription answers 404", async () => {
  const { bobBrowser, create, client } = await start()
  const { path: page } = await create()
  expect(countRows((await bobBrowser.get(path)).text)).toBe(0)
  for (const end of ['', '/edit']) expect((await bobBrowser.get(page + end)).status).toBe(404)
  for (const action of ['edit', 'pause', 'resume', 'skip', 'replay', 'resend', 'delete']) {
    const fields = { ...form, sequence: '1', from: '1' }
    expect((await bobBrowser.submit(`${page}/${action}`, fields)).status, action).toBe(404)
  }
  expect(await client.subscriptions.list()).toMatchObject([{ state: 'active' }])
})

test('the page of a subscription sends a test webhook and shows its reply', async () => {
  const { browser, create } = await start()
  const receiver = await startReceiver(418, 'short and <b>stout</b>')
  const { path: page } = await create({ url: receiver.url })
  const failed = await browser.submit(`${page}/test`)
  expect(failed.notice).toMatchObject({ kind: 'failed' })
  expect(failed.text).toContain('418')
  expect(failed.text).not.toContain('<b>stout')
  expect(failed.notice?.text).toContain('Check the URL and the method of the subscription')
  receiver.reply.status = 200
  const tested = await browser.submit(`${page}/test`)
  expect(tested).toMatchObject({ path: page, notice: { kind: 'done' } })
  const { path: silent } = await create({ url: 'http://127.0.0.1:1/' })
  const unreachable = await browser.submit(`${silent}/test`)
  expect(unreachable.notice?.text).toContain('Check the URL, and that its receiver is running')
})

test('a subscription gets a secret of its own, shows it on request, and loses it', async () => {
  const { browser, create, client } = await start()
  const { path: created } = await create()
  const [{ id = '' } = {}] = await client.subscriptions.list()
  const page = `${created}/secret`
  const shared = await client.subscriptions.getSecret(id)
  expect((await browser.get(page)).text).not.toContain('whsec_')
  const refused = await browser.submit(page, { password: 'wrong' })
  expect(refused.status).toBe(403)
  expect(refused.text).not.toContain('whsec_')
  expect((await browser.submit(page, { password })).text).toContain(shared.secret)
  const confirm = async (action: string) => {
    const { text } = await browser.get(`${page}/${action}`)
    const [csrf, was] = [getHiddenField(text, 'csrf'), getHiddenField(text, 'was')]
    return await browser.post(`${page}/${action}`, { csrf, was, password })
  }
  expect((await confirm('replace')).path).toBe(page)
  const own = await client.subscriptions.getSecret(id)
  expect(own.own).toBe(true)
  expect((await browser.get(page)).text).toContain(own.secret)
  expect((await browser.submit(page, { hide: '1' })).text).not.toContain('whsec_')
  expect((await confirm('remove')).path).toBe(page)
  expect(await client.subscriptions.getSecret(id)).toEqual(shared)
})

test('a temporary subscription shows the machine of its listener', async () => {
  const { browser, client } = await start()
  const url = 'http://127.0.0.1:1/hook'
  const { id } = await client.subscriptions.create({
    event: 'message.sent',
    url,
    listener: '<b>laptop',
  })
  for (const page of [path, `${path}/${id}`]) {
    const { text } = await browser.get(page)
    expect(text).toMatch(/hook listen<\/code> on &lt;b>laptop, last seen <time/)
  }
})
