import { expect, test } from 'vitest'
import { countRows, getHiddenField, listStates } from '../browser.js'
import { openClient, openPhone } from '../dashboard-relay.js'
import { startWithPeople } from '../people/people-rig.js'
import { number, startMessages } from './start-messages.js'

test('a message is edited, locked, unlocked, deleted and undeleted without scripts', async () => {
  const { send, browser, listMessages } = await startMessages()
  const { path } = await send()
  const edited = await browser.submit(`${path}/edit`, {
    destination: number,
    message: 'Second',
    send_on: '2030-01-01T00:00',
    zone: 'UTC',
  })
  expect(edited).toMatchObject({ path, notice: { kind: 'done' } })
  expect(await listMessages()).toMatchObject([
    { message: 'Second', send_on: '2030-01-01 00:00:00' },
  ])
  const run = async (action: string) => {
    const page = await browser.submit(`${path}/${action}`)
    return listStates(page.text)[0]
  }
  expect(await run('lock')).toBe('Locked')
  expect(await run('unlock')).toBe('Scheduled')
  expect(await run('delete')).toBe('Cancelled')
  expect(await listMessages()).toMatchObject([{ status: 'D' }])
  expect(await run('undelete')).toBe('Scheduled')
})

test('an edit that does not change the time keeps its seconds', async () => {
  const { send, browser, listMessages } = await startMessages()
  const { path } = await send()
  const [before] = await listMessages()
  const form = (await browser.get(`${path}/edit`)).text
  const send_on = /name="send_on" value="([^"]*)"/.exec(form)?.[1] ?? ''
  const fields = { destination: number, message: 'Two', send_on, zone: 'UTC' }
  await browser.submit(`${path}/edit`, fields)
  expect(await listMessages()).toMatchObject([{ message: 'Two', send_on: before?.send_on }])
})

test('an edit that removes the time sends the message at once', async () => {
  const { send, browser, listMessages } = await startMessages()
  const { path } = await send({ send_on: '2099-01-01T00:00' })
  const fields = { destination: number, message: 'Hello', send_on: '', zone: 'UTC' }
  await browser.submit(`${path}/edit`, fields)
  expect((await listMessages())[0]?.send_on).not.toMatch(/^2099/)
})

test('a message that a phone has names the phone, since when and until when', async () => {
  let now = Date.UTC(2030, 0, 1, 12)
  const { send, browser, url, ann } = await startMessages({ now: () => now })
  const { path } = await send()
  const phone = openPhone(url, ann, { name: 'pixel 8', driver: 'termux' })
  await phone.messages.next()
  now += 60_000
  const { text } = await browser.get(path)
  expect(text).toContain('<h3>With pixel 8</h3>')
  expect(text).toMatch(/<dt>With phone<\/dt><dd><a href="\/phones\/pixel%208">pixel 8<\/a>/)
  const [, fact = ''] = /<dt>With phone<\/dt><dd>(.*?)<\/dd>/s.exec(text) ?? []
  const shown = fact.replace(/<[^>]*>/g, '')
  expect(shown).toMatch(/since .*12:00:00.*, until .*12:02:00.* without a report/)
  now += 60_000
  expect((await browser.get(path)).text).not.toContain('With phone')
})

test('the notice after locking and cancelling a message has a button that undoes it', async () => {
  const { send, browser } = await startMessages()
  const { path } = await send()
  for (const [action, state] of [
    ['lock', 'Locked'],
    ['delete', 'Cancelled'],
  ] as const) {
    const { text } = await browser.submit(`${path}/${action}`)
    expect(listStates(text)[0]).toBe(state)
    const undo = /id="flash".*?action="([^"]+)".*?>Undo</s.exec(text)?.[1] ?? ''
    expect(listStates((await browser.submit(undo)).text)[0]).toBe('Waiting')
  }
})

test('the page names the reason of a failed attempt in plain words', async () => {
  const { send, browser, url, ann } = await startMessages()
  const { path } = await send()
  const phone = openPhone(url, ann)
  const { id = '' } = (await phone.messages.next()) ?? {}
  await phone.messages.reportFailure(id, { error_message: '+CMS ERROR: 28' })
  const { text } = await browser.get(path)
  expect(text).toContain('Not sent yet: the number is not in service')
  expect(text).toContain('<p class="said">+CMS ERROR: 28</p>')
  expect((await browser.get('/messages')).text).toContain(
    '<bdi>The number is not in service</bdi> · 1 of 5',
  )
})

test('an action that the status does not allow is reported on the page', async () => {
  const { send, browser } = await startMessages()
  const { path } = await send()
  const page = await browser.submit(`${path}/unlock`)
  expect(page).toMatchObject({ status: 200, path, notice: { kind: 'failed' } })
})

test('messages of another account answer 404', async () => {
  const { send, browser, bobBrowser } = await startMessages()
  const { path } = await send({ message: 'Only for Ann' })
  const id = path.split('/').at(-1)
  for (const each of [path, `${path}/edit`, `/send?again=${id}`]) {
    const page = await bobBrowser.get(each)
    expect(page.status).toBe(404)
    expect(page.text).not.toContain('Only for Ann')
  }
  const fields = { destination: number, message: 'Mine', send_on: '', zone: 'UTC' }
  for (const action of ['edit', 'delete', 'lock', 'unlock', 'undelete'])
    expect((await bobBrowser.submit(`${path}/${action}`, fields)).status).toBe(404)
  expect(countRows((await bobBrowser.get('/messages')).text)).toBe(0)
  expect(listStates((await browser.get(path)).text)).toEqual(['Waiting'])
})

test('an update of an open page does not take the message for the next page', async () => {
  const { send, browser, createForm } = await startMessages()
  const { path } = await send()
  const { csrf } = { csrf: getHiddenField((await browser.get('/')).text, 'csrf') }
  await browser.post(`${path}/lock`, { ...(await createForm()), csrf }, { follow: false })
  const update = await browser.get(path, { headers: { 'X-Page-Version': 'x' } })
  expect(update.notice).toBeUndefined()
  expect((await browser.get(path)).notice?.kind).toBe('done')
})

test('Retry now makes a message in error due at once', async () => {
  const { send, browser, url, ann, listMessages } = await startMessages()
  const { path } = await send()
  const phone = openPhone(url, ann)
  const { id = '' } = (await phone.messages.next()) ?? {}
  await phone.messages.reportFailure(id, { error_message: '+CMS ERROR: 28' })
  const failed = await browser.get(path)
  expect(failed.text).toContain('The number is not in service.')
  expect(await phone.messages.next()).toBeUndefined()
  const page = await browser.submit(`${path}/retry`)
  expect(page).toMatchObject({ path, notice: { kind: 'done' } })
  expect(await phone.messages.next()).toMatchObject({ id, failure_count: 1 })
  await phone.messages.reportSuccess(id, { parts: 1 })
  expect(await listMessages()).toMatchObject([{ status: 'S' }])
})

test('a long text is shown with its parts', async () => {
  const { send, browser } = await startMessages()
  const long = `${'a'.repeat(153)}${'b'.repeat(20)}`
  const { text } = await browser.get((await send({ message: long })).path)
  expect(text).toContain('Show the 2 parts')
  const parts = [...text.matchAll(/<p class="said" dir="auto">([^<]*)/g)].map(([, part]) => part)
  expect(parts).toEqual(['a'.repeat(153), 'b'.repeat(20)])
  expect((await browser.get((await send()).path)).text).not.toContain('id="parts"')
})

test('the page has commands for this relay, without keys', async () => {
  const { send, browser, url, ann } = await startMessages()
  const { path } = await send({ message: "It's <b>", send_on: '2099-01-01T00:00' })
  const { text } = await browser.get(path)
  const read = (id: string) => new RegExp(`<pre id="${id}"[^>]*>\\s*([^<]*)</pre>`).exec(text)?.[1]
  expect(read('curl')).toBe(
    `curl &#39;${url}/api/1/message&#39; \\
  -H &#34;Authorization: Bearer $SMSRELAY_TOKEN&#34; \\
  -H &#39;Content-Type: application/json&#39; \\
  -d &#39;{&#34;message&#34;:{&#34;destination&#34;:&#34;${number}&#34;,` +
      '&#34;message&#34;:&#34;It&#39;\\&#39;&#39;s &lt;b>&#34;,' +
      '&#34;send_on&#34;:&#34;2099-01-01 00:00:00&#34;}}&#39;',
  )
  expect(read('cli')).toBe(
    `smsrelay message send --url &#39;${url}&#39; --at &#39;2099-01-01 00:00:00&#39; ` +
      `-- &#39;${number}&#39; &#39;It&#39;\\&#39;&#39;s &lt;b>&#39;`,
  )
  for (const key of [ann.secret_key, ann.api_key, ann.app_key]) expect(text).not.toContain(key)
})

test('the page of a reader has no commands and nothing to delete a message', async () => {
  const { browsers, url, ann } = await startWithPeople()
  const client = openClient(url, ann)
  const { id } = await client.messages.create({ destination: number, message: 'Hello' })
  await openPhone(url, ann).messages.reportSuccess(id, { parts: 1 })
  const { text } = await browsers.sender.get(`/messages/${id}`)
  expect(text).toContain('id="curl"')
  expect(text).toContain('Delete permanently')
  const shown = (await browsers.reader.get(`/messages/${id}`)).text
  expect(shown).not.toMatch(/Other actions|id="curl"|Delete permanently/)
})

test('an edit has the time in the zone of the page, or in UTC for a repeated hour', async () => {
  const { send, browser } = await startMessages()
  await browser.submit('/settings', {
    ...{ country: 'US', mode: 'at-least-once', time_zone: 'Europe/Berlin' },
  })
  const readForm = async (sendOn: string) => {
    const { path } = await send({ send_on: sendOn })
    const { text } = await browser.get(`${path}/edit`)
    const [, shown] = /name="send_on" value="([^"]*)"/.exec(text) ?? []
    const [, zone] = /<option value="([^"]*)" selected/.exec(text) ?? []
    return [shown, zone]
  }
  expect(await readForm('2099-01-01T11:00')).toEqual(['2099-01-01T12:00', 'Europe/Berlin'])
  expect(await readForm('2098-10-26T01:30')).toEqual(['2098-10-26T01:30', 'UTC'])
})

test('a message that nobody fetches says so, with the command that starts a phone', async () => {
  let now = Date.UTC(2030, 0, 1, 12)
  const { send, browser, url, ann } = await startMessages({ now: () => now })
  const { path, text } = await send()
  expect(text).toContain('Not sent yet: no phone has connected yet')
  expect(text).toContain('smsrelay phone --driver NAME')
  const phone = openPhone(url, ann, { name: 'attic', driver: 'modem' })
  const { id = '' } = (await phone.messages.next()) ?? {}
  await phone.messages.reportFailure(id, { error_message: '+CMS ERROR: 38' })
  expect((await browser.get(path)).text).not.toContain('smsrelay phone')
  now += 20 * 60_000
  const silent = (await browser.get(path)).text
  expect(silent).toContain('The next attempt is due now.')
  expect(silent).toContain('Not sent yet: the phone attic is silent')
  const many = await send({ destination: `${number}, +12025550124` })
  expect(many.notice?.text).toContain('The phone attic is silent. Check that it runs')
  const later = await send({ destination: `${number}, +12025550124`, send_on: '2030-02-01T00:00' })
  expect(later.notice?.text).not.toContain('attic')
})
