import { expect, test } from 'vitest'
import { openPhone } from '../dashboard-relay.js'
import { startMessages } from './start-messages.js'

test('the history has each failed attempt with its error, and the next attempt', async () => {
  let now = Date.UTC(2030, 0)
  const { send, browser, url, ann } = await startMessages({ now: () => now })
  const { path } = await send()
  const phone = openPhone(url, ann)
  for (const minutes of [1, 20, 40]) {
    now = Date.UTC(2030, 0) + minutes * 60_000
    const message = await phone.messages.next()
    if (message !== undefined)
      await phone.messages.reportFailure(message.id, { error_message: 'no network' })
  }
  const { text } = await browser.get(path)
  const list = /<ol class="timeline">(.*?)<\/ol>/s.exec(text)?.[1] ?? ''
  const times = [...list.matchAll(/<\/div><time datetime="([^"]*)/g)].map(([, time]) => time)
  expect(times).toEqual([
    '2030-01-01T00:00:00.000Z',
    '2030-01-01T00:01:00.000Z',
    '2030-01-01T00:20:00.000Z',
    '2030-01-01T00:50:00.000Z',
  ])
  expect(list.match(/Attempt [12] failed.*?no network/g)).toHaveLength(2)
})

/** The entries of a message's history, without markup; a time is in brackets. */
function listHistory(text: string): string[] {
  const [, list = ''] = /<ol class="timeline[^"]*">(.*?)<\/ol>/s.exec(text) ?? []
  return list
    .split('</li>')
    .slice(0, -1)
    .map(entry =>
      entry
        .replace(/<time datetime="[^T]*T([\d:]*)[^>]*>[^<]*/g, ' [$1]')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
}

test('the history has each lease with its phone, its begin and how it ended', async () => {
  let now = Date.UTC(2030, 0, 1, 12)
  const { send, browser, url, ann } = await startMessages({ now: () => now })
  const { path } = await send()
  const id = path.split('/').at(-1) ?? ''
  const [attic, cellar] = ['attic', 'cellar'].map(name =>
    openPhone(url, ann, { name, driver: 'modem' }),
  ) as [ReturnType<typeof openPhone>, ReturnType<typeof openPhone>]
  const next = async (phone: typeof attic) => expect((await phone.messages.next())?.id).toBe(id)
  await next(attic)
  now += 10_000
  await attic.messages.release(id)
  await next(attic)
  now += 120_000
  const ended =
    'No report from attic The phone attic had the message since [12:00:10] . Its lease ended ' +
    'without a report, so nobody knows whether the text was sent.'
  const waiting = listHistory((await browser.get(path)).text)
  expect(waiting.slice(2)).toEqual([
    `${ended} The phone can still report. [12:02:10]`,
    'Waiting for a phone It is due now.',
  ])
  now += 60_000
  await next(cellar)
  now += 5000
  await cellar.messages.reportFailure(id, { error_message: '+CMS ERROR: 38' })
  now += 20 * 60_000
  await next(cellar)
  now += 2000
  const held = listHistory((await browser.get(path)).text)
  expect(held.at(-1)).toMatch(/^With cellar Since \[12:23:15\] \. .* is due again\. \[12:25:15\]$/)
  await cellar.messages.reportSuccess(id, { parts: 1 })
  expect(listHistory((await browser.get(path)).text)).toEqual([
    'Accepted Created on the dashboard. [12:00:00]',
    'Given back by attic The phone attic had the message. It was not sent. [12:00:10]',
    `${ended} [12:02:10]`,
    'Attempt 1 failed The network is busy or out of order. The phone cellar reported it. ' +
      '+CMS ERROR: 38 [12:03:15]',
    'Sent It was sent. By the phone cellar. [12:23:17]',
  ])
})
