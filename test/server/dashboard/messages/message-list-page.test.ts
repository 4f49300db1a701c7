import { expect, test } from 'vitest'
import { countSmsParts } from '../../../../src/domain/sms/sms-parts.js'
import { createClockAt } from '../../../util/async/fake-clock.js'
import { Browser, getHiddenField, password, startRelay } from '../browser.js'

const number = '+12025550123'

async function signedIn() {
  const world = await startRelay()
  const browser = new Browser(world.url)
  await browser.signIn()
  /** Sends a text by the form, and returns the path of its page. */
  const send = async (message = 'Hello', more: Record<string, string> = {}, by = browser) => {
    const key = getHiddenField((await by.get('/send')).text, 'key')
    const form = { key, destination: number, message, send_on: '', zone: 'UTC', ...more }
    return await by.submit('/send', form)
  }
  return { ...world, browser, send }
}

async function stored(url: string, ann: { secret_key: string; api_key: string }) {
  const basic = Buffer.from(`${ann.secret_key}:${ann.api_key}`).toString('base64')
  const issued = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${basic}` } })
  const { access_token } = (await issued.json()) as { access_token: string }
  const filter = encodeURIComponent(JSON.stringify({ filter: 'all', order: 'asc', count: 100 }))
  const listed = await fetch(`${url}/api/1/message?filter=${filter}`, {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  const { messages } = (await listed.json()) as { messages: { message: Row }[] }
  return messages.map(({ message }) => message)
}

/** A phone that takes what is due, if anything is, and reports that it failed. */
async function phoneOf(url: string, ann: { secret_key: string; app_key: string }) {
  const basic = Buffer.from(`${ann.secret_key}:${ann.app_key}`).toString('base64')
  const issued = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${basic}` } })
  const { access_token } = (await issued.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}` }
  return {
    fail: async (error_message: string) => {
      const taken = await fetch(`${url}/api/1/message/next`, { headers })
      if (!taken.ok) return
      const { message } = (await taken.json()) as { message: { id: string } }
      const body = new URLSearchParams({ error_message })
      await fetch(`${url}/api/1/message/${message.id}/failure`, { method: 'PUT', headers, body })
    },
  }
}

interface Row {
  id: string
  destination: string
  message: string
  send_on: string
  source: string
  status: string
}

test('a message sent by the form comes from the website, and its page shows it', async () => {
  const { send, url, ann } = await signedIn()
  const seen = await send('Hello\r\nthere')
  expect(seen.status).toBe(200)
  expect(seen.path).toMatch(/^\/messages\/[\w-]+$/)
  expect(seen.text).toContain(`The message to ${number} is accepted.`)
  expect(seen.text).toContain('<span class="badge new">New</span>')
  expect(await stored(url, ann)).toMatchObject([
    { source: 'website', message: 'Hello\nthere', destination: number, status: 'N' },
  ])
})

test('what a page had to say is said once', async () => {
  const { send, browser } = await signedIn()
  const seen = await send()
  expect((await browser.get(seen.path)).text).not.toContain('is accepted')
})

test('the same form sent twice makes one message', async () => {
  const { browser, url, ann } = await signedIn()
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const form = { key, destination: number, message: 'Once', send_on: '', zone: 'UTC' }
  const twice = await Promise.all([browser.submit('/send', form), browser.submit('/send', form)])
  expect(twice[0].path).toBe(twice[1].path)
  await browser.submit('/send', { ...form, message: 'Changed after Back' })
  const texts = (await stored(url, ann)).map(({ message }) => message)
  expect(texts).toEqual(['Once', 'Changed after Back'])
})

test('many numbers get one text each, a number that is there twice too', async () => {
  const { send, url, ann } = await signedIn()
  const destination = `${number}\r\n(202) 555-0124, +1 202 555 0123;+12025550125`
  const seen = await send('To all', { destination })
  expect(seen.path).toBe('/messages')
  expect(seen.text).toContain('3 messages are accepted.')
  expect(await stored(url, ann)).toHaveLength(3)
})

test('a number that cannot be dialled is named, the form kept, and nothing sent', async () => {
  const { send, url, ann } = await signedIn()
  const seen = await send('Kept "text"', { destination: `${number}\nhello` })
  expect(seen.status).toBe(400)
  expect(seen.text).toContain('Cannot be dialled: hello.')
  expect(seen.text).toContain('Kept &#34;text&#34;</textarea>')
  expect(await stored(url, ann)).toEqual([])
})

test('a text that is too short or too long is refused', async () => {
  const { send } = await signedIn()
  for (const text of ['', 'x'.repeat(1601)]) {
    const seen = await send(text)
    expect(seen.status).toBe(400)
    expect(seen.text).toContain('The message must have 1 to 1600 characters.')
  }
})

test('a time is read in the time zone beside it', async () => {
  const { send, url, ann } = await signedIn()
  await send('Later', { send_on: '2030-07-01T09:30', zone: 'Europe/Berlin' })
  expect(await stored(url, ann)).toMatchObject([{ send_on: '2030-07-01 07:30:00' }])
  const wrong = await send('Never', { send_on: '2030-02-30T09:30' })
  expect(wrong.text).toContain('There is no such time')
  expect((await send('Nowhere', { send_on: '2030-07-01T09:30', zone: 'No/Where' })).status).toBe(
    400,
  )
})

test('a number on the Do Not Text list is told, and not sent to', async () => {
  const { send, relay } = await signedIn()
  await relay.administration.addBlocked(number)
  const seen = await send()
  expect(seen.text).toContain(`${number} is on the Do Not Text list, and not sent to.`)
  expect(seen.text).toContain('<span class="badge blocked">Blocked</span>')
})

test('the length of a text is counted as when it is sent', async () => {
  const { browser } = await signedIn()
  const texts = ['Hello', 'x'.repeat(161), 'Grüße 😀', 'line\r\nbreak', '😀'.repeat(40)]
  for (const text of texts) {
    const seen = await browser.submit('/send/length', { message: text })
    const plain = text.replaceAll('\r\n', '\n')
    const { parts, alphabet } = countSmsParts(plain)
    expect(seen.text).toContain(`>${[...plain].length} characters, ${parts} part`)
    expect(seen.text).toContain(` in ${alphabet}<`)
    expect(seen.text).not.toContain('<html')
  }
})

test('a message is edited, locked, unlocked, deleted and brought back without scripts', async () => {
  const { send, browser, url, ann } = await signedIn()
  const { path } = await send('First')
  const edited = await browser.submit(`${path}/edit`, {
    destination: number,
    message: 'Second',
    send_on: '2030-01-01T00:00',
    zone: 'UTC',
  })
  expect(edited.text).toContain('The message is changed.')
  expect(await stored(url, ann)).toMatchObject([
    { message: 'Second', send_on: '2030-01-01 00:00:00' },
  ])
  const status = async (verb: string) => {
    const seen = await browser.submit(`${path}/${verb}`)
    return /class="badge (\w+)"/.exec(seen.text)?.[1]
  }
  expect(await status('lock')).toBe('locked')
  expect(await status('unlock')).toBe('new')
  expect(await status('delete')).toBe('deleted')
  expect((await stored(url, ann))[0]?.status).toBe('D')
  expect(await status('undelete')).toBe('new')
})

test('an edit that leaves the time alone keeps its seconds', async () => {
  const { send, browser, url, ann } = await signedIn()
  const { path } = await send('First')
  const before = (await stored(url, ann))[0]?.send_on
  const form = (await browser.get(`${path}/edit`)).text
  const send_on = /name="send_on" value="([^"]*)"/.exec(form)?.[1] ?? ''
  await browser.submit(`${path}/edit`, {
    destination: number,
    message: 'Two',
    send_on,
    zone: 'UTC',
  })
  expect(await stored(url, ann)).toMatchObject([{ message: 'Two', send_on: before }])
})

test('an edit that takes the time away has it sent at once', async () => {
  const { send, browser, url, ann } = await signedIn()
  const { path } = await send('Later', { send_on: '2099-01-01T00:00' })
  const form = { destination: number, message: 'Later', send_on: '', zone: 'UTC' }
  await browser.submit(`${path}/edit`, form)
  expect((await stored(url, ann))[0]?.send_on).not.toMatch(/^2099/)
})

test('what the state does not allow is told on the page of the message', async () => {
  const { send, browser } = await signedIn()
  const { path } = await send()
  const seen = await browser.submit(`${path}/unlock`)
  expect(seen).toMatchObject({ status: 200, path })
  expect(seen.text).toContain('The message is new; only a locked message can be unlocked.')
})

test('a message can be sent again, as a new one', async () => {
  const { send, browser } = await signedIn()
  const { path } = await send('Again & again')
  const form = await browser.get(`/send?again=${path.split('/').at(-1)}`)
  expect(form.text).toContain('Again &amp; again</textarea>')
  expect(form.text).toContain(`${number}</textarea>`)
})

test('the messages of another account do not exist', async () => {
  const { send, url, relay } = await signedIn()
  const { path } = await send('For nobody else')
  await relay.administration.createAccount({ email: 'bob@example.com', password })
  const bob = new Browser(url)
  await bob.signIn('bob@example.com')
  const id = path.split('/').at(-1)
  for (const each of [path, `${path}/edit`, `/send?again=${id}`]) {
    const seen = await bob.get(each)
    expect(seen.status).toBe(404)
    expect(seen.text).not.toContain('For nobody else')
  }
  for (const verb of ['edit', 'delete', 'lock', 'unlock', 'undelete']) {
    const form = { destination: number, message: 'Mine', send_on: '', zone: 'UTC' }
    expect((await bob.submit(`${path}/${verb}`, form)).status).toBe(404)
  }
  expect((await bob.get('/messages')).text).toContain('There are no such messages.')
})

test('the list shows what a filter names, in pages', async () => {
  const { send, browser } = await signedIn()
  const destination = Array.from({ length: 60 }, (_, at) => `+120255502${10 + at}`).join('\n')
  await send('Many', { destination })
  const first = await browser.get('/messages')
  expect(first.text.match(/<tr>/g)).toHaveLength(51)
  expect(first.text).toContain('href="/messages?start=50"')
  const second = await browser.get('/messages?start=50')
  expect(second.text.match(/<tr>/g)).toHaveLength(11)
  expect(second.text).toContain('<a href="/messages" rel="prev">')
  expect((await browser.get('/messages?filter=sent')).text).toContain('There are no such messages.')
  expect((await browser.get('/messages?filter=normal')).text.match(/<tr>/g)).toHaveLength(51)
  expect((await browser.get('/messages?filter=nothing&start=-1&order=x')).status).toBe(200)
})

test('the search finds texts in any letter case, and numbers however they are written', async () => {
  const { send, browser } = await signedIn()
  await send('The quick brown fox')
  await send('Lazy dog', { destination: '+442079460000' })
  const found = async (q: string) =>
    (await browser.get(`/messages?q=${encodeURIComponent(q)}`)).text.match(/<tr>/g)?.length ?? 1
  expect(await found('QUICK')).toBe(2)
  expect(await found('20 7946')).toBe(2)
  expect(await found('nothing')).toBe(1)
  expect(await found(' ')).toBe(3)
})

test('a live part answers 204 until there is something new', async () => {
  const { send, browser } = await signedIn()
  const { path, text } = await send()
  const seen = /seen&#34;:&#34;([^&]*)&/.exec(text)?.[1] ?? ''
  const again = { headers: { 'HX-Request': 'true' } }
  expect((await browser.get(`${path}?seen=${seen}`, again)).status).toBe(204)
  await browser.submit(`${path}/lock`)
  const changed = await browser.get(`${path}?seen=${seen}`, again)
  expect(changed.status).toBe(200)
  expect(changed.text).toContain('<span class="badge locked">')
  expect(changed.text).not.toContain('<html')
})

test('the page is told of events as they happen, and of none of another account', async () => {
  const { send, browser, url, relay } = await signedIn()
  await relay.administration.createAccount({ email: 'bob@example.com', password })
  const bob = new Browser(url)
  await bob.signIn('bob@example.com')
  await send('Before')
  const headers = { Cookie: [...browser.cookies].map(pair => pair.join('=')).join('; ') }
  const stream = await fetch(`${url}/live`, { headers })
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(stream.headers.get('x-content-type-options')).toBe('nosniff')
  await send('Not yours', {}, bob)
  await send('Yours')
  let text = ''
  for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.includes('message.create')) break
  }
  expect(text.match(/event: /g)).toHaveLength(1)
})

test('the history tells the tries that failed, with the last one and what is next', async () => {
  let now = Date.UTC(2030, 0)
  const world = await startRelay({}, { clock: createClockAt(() => now) })
  const browser = new Browser(world.url)
  await browser.signIn()
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const form = { key, destination: number, message: 'Tried', send_on: '', zone: 'UTC' }
  const { path } = await browser.submit('/send', form)
  const history = async () => {
    const { text } = await browser.get(path)
    const list = /<ol class="history">(.*)<\/ol>/s.exec(text)?.[1] ?? ''
    return list.split('</li>').map(item => item.replace(/<[^>]*>/g, '').trim())
  }
  const phone = await phoneOf(world.url, world.ann)
  for (const minutes of [1, 20, 40]) {
    now = Date.UTC(2030, 0) + minutes * 60_000
    await phone.fail('no network')
  }
  expect(await history()).toEqual([
    '2030-01-01 00:00:00 UTC Created by this website.',
    '2030-01-01 00:01:00 UTC Error It could not be sent, and is tried again.',
    '2030-01-01 00:20:00 UTC 2 of 5 tries failed; of those before the last no time is kept. It said: no network',
    '2030-01-01 00:50:00 UTC It may be tried again.',
    '',
  ])
})
