import { expect, test } from 'vitest'
import { countSmsParts } from '../../../../src/domain/sms/sms-parts.js'
import { listStates } from '../browser.js'
import { openPhone } from '../dashboard-relay.js'
import { number, startMessages } from './start-messages.js'

test('a sent message has the source website, and its page is shown', async () => {
  const { send, listMessages, browser } = await startMessages()
  const page = await send({ message: 'Hello\r\nthere' })
  expect(page.status).toBe(200)
  expect(page.path).toMatch(/^\/messages\/[\w-]+$/)
  expect(page.notice).toMatchObject({ kind: 'done', text: expect.stringContaining(number) })
  expect(listStates(page.text)).toEqual(['Waiting'])
  expect(await listMessages()).toMatchObject([
    { source: 'website', message: 'Hello\nthere', destination: number, status: 'N' },
  ])
  expect((await browser.get(page.path)).notice, 'a flash message is shown once').toBeUndefined()
})

test('a summary with the focus links to each field that has an error', async () => {
  const { browser, send } = await startMessages()
  const page = await send({ message: '', send_on: '2030-02-30T00:00' })
  expect(Object.keys(page.errors)).toEqual(['message', 'send_on'])
  const [summary = ''] = /<div class="notice bad errors".*?<\/div>\s*<\/div>/s.exec(page.text) ?? []
  expect(summary).toMatch(/^<div class="notice bad errors" role="alert" tabindex="-1" autofocus/)
  expect(summary).toContain('<h2>Correct 2 fields:</h2>')
  expect(summary).toContain('<a href="#message">Message</a>, <a href="#send_on">Send on</a>')
  expect((await browser.get('/send')).text).not.toContain('class="notice bad')
})

test('a form that is sent twice creates one message, with another text a second one', async () => {
  const { browser, createForm, listMessages } = await startMessages()
  const form = await createForm({ message: 'Once' })
  const replies = await Promise.all([browser.submit('/send', form), browser.submit('/send', form)])
  expect(replies[0].path).toBe(replies[1].path)
  await browser.submit('/send', { ...form, message: 'Changed after Back' })
  const texts = (await listMessages()).map(({ message }) => message)
  expect(texts).toEqual(['Once', 'Changed after Back'])
})

test('each of several numbers gets one text, even if it is given twice', async () => {
  const { send, listMessages } = await startMessages()
  const destination = `${number}\r\n(202) 555-0124, +1 202 555 0123;+12025550125`
  const page = await send({ destination })
  expect(page.path).toBe('/messages')
  expect(page.notice?.text).toContain('3')
  expect(await listMessages()).toHaveLength(3)
})

test('the notice counts blocked messages, and is an error if all are blocked', async () => {
  const { send, client, url, ann } = await startMessages()
  const [first, second, third] = ['+12025550124', '+12025550125', '+12025550126'] as const
  await openPhone(url, ann).messages.next()
  for (const blocked of [first, second]) await client.doNotText.add(blocked)
  const some = await send({ destination: `${number}\n${first}` })
  expect(some.notice).toEqual({
    kind: 'done',
    text: '<p>1 message is accepted. 1 is not sent: its number is on the Do Not Text list.</p>',
  })
  const more = await send({ destination: `${number}\n${third}\n${first}\n${second}` })
  expect(more.notice?.text).toMatch(/^<p>2 messages are accepted. 2 are not sent: their/)
  const none = await send({ destination: `${first}\n${second}` })
  expect(none.notice?.kind).toBe('failed')
  expect(none.notice?.text).toMatch(/^<p>No message is accepted. 2 are not sent: their/)
})

test('an invalid number is named, the form keeps its values, and nothing is sent', async () => {
  const { send, listMessages } = await startMessages()
  const page = await send({ message: 'My "text"', destination: `${number}\nhello` })
  expect(page.status).toBe(400)
  expect(page.errors).toEqual({ destination: expect.stringContaining('hello') })
  expect(page.text).toContain('My &#34;text&#34;</textarea>')
  expect(await listMessages()).toEqual([])
})

test.each(['', 'x'.repeat(1601)])('a text of invalid length is rejected', async message => {
  const { send } = await startMessages()
  const page = await send({ message })
  expect(page.status).toBe(400)
  expect(page.errors).toEqual({ message: expect.stringContaining('1600') })
})

test.each([
  ['2030-10-27T02:30', 'occurs twice in Europe/Berlin'],
  ['2030-03-31T02:30', 'does not exist in Europe/Berlin'],
])('the local time %s is named, and nothing is sent', async (send_on, problem) => {
  const { send, listMessages } = await startMessages()
  const page = await send({ send_on, zone: 'Europe/Berlin' })
  expect(page.errors).toEqual({ send_on: expect.stringContaining(problem) })
  expect(await listMessages()).toEqual([])
})

test('the time of sending is read in the time zone of the form', async () => {
  const { send, listMessages } = await startMessages()
  await send({ send_on: '2030-07-01T09:30', zone: 'Europe/Berlin' })
  expect(await listMessages()).toMatchObject([{ send_on: '2030-07-01 07:30:00' }])
  const invalidTimes: Record<string, string>[] = [
    { send_on: '2030-02-30T09:30' },
    { send_on: '2030-07-01T09:30', zone: 'No/Where' },
  ]
  for (const invalid of invalidTimes) {
    const page = await send(invalid)
    expect([page.status, Object.keys(page.errors)]).toEqual([400, ['send_on']])
  }
})

test('a message to a number on the Do Not Text list is blocked', async () => {
  const { send, administration } = await startMessages()
  await administration.addDoNotText(number)
  const page = await send()
  expect(page.notice).toMatchObject({ kind: 'failed', text: expect.stringContaining(number) })
  expect(listStates(page.text)).toEqual(['Blocked'])
})

test.each(['Hello', 'x'.repeat(161), 'Grüße 😀', 'line\r\nbreak', '😀'.repeat(40)])(
  'the length of %j is counted as when it is sent',
  async message => {
    const { browser } = await startMessages()
    const reply = await browser.submit('/send/length', { message })
    const text = message.replaceAll('\r\n', '\n')
    expect(reply.text).toContain(
      `>${[...text].length} characters, ${countSmsParts(text).parts} part`,
    )
    expect(reply.text).not.toContain('<html')
  },
)

test('the form for sending a message again has its number and text', async () => {
  const { send, browser } = await startMessages()
  const { path } = await send({ message: 'Again & again' })
  const form = await browser.get(`/send?again=${path.split('/').at(-1)}`)
  expect(form.text).toContain('Again &amp; again</textarea>')
  expect(form.text).toContain(`${number}</textarea>`)
})

test('an identifier with NUL in the address is one of no message', async () => {
  const { browser } = await startMessages()
  expect((await browser.get('/send?again=%00')).status).toBe(404)
})
