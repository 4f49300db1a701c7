import { expect, test } from 'vitest'
import type { Browser } from '../browser.js'
import { openClient, openPhone } from '../dashboard-relay.js'
import { startWithPeople } from './people-rig.js'

const number = '+12025550143'
const contact = `/contacts/${encodeURIComponent(number)}`

/** A contact, and a message to it whose first attempt has failed. */
async function start() {
  const relay = await startWithPeople()
  const client = openClient(relay.url, relay.ann)
  await client.contacts.create({ number, name: 'Ann', fields: { city: 'Berlin' } })
  const { id } = await client.messages.create({ destination: number, message: 'Hello' })
  const phone = openPhone(relay.url, relay.ann)
  await phone.messages.next()
  await phone.messages.reportFailure(id, { error_message: 'Busy' })
  return { ...relay, message: `/messages/${id}` }
}

const read = async (browser: Browser, path: string) => (await browser.get(path)).text

test('a reader sees no buttons, boxes and advice for what only others can do', async () => {
  const { browsers, message } = await start()
  const parts: readonly (readonly [path: string, part: string])[] = [
    ['/contacts', 'Text the chosen contacts'],
    ['/contacts', 'form="chosen"'],
    [contact, 'Delete the contact'],
    ['/messages', 'c-tick'],
    [message, 'edit the message'],
  ]
  for (const [path, part] of parts) {
    expect(await read(browsers.sender, path), path).toContain(part)
    expect(await read(browsers.reader, path), path).not.toContain(part)
  }
  expect(await read(browsers.reader, message)).toContain('1 of 5 attempts failed')
})

test('senders and readers see nothing of what only admins can do', async () => {
  const { browsers } = await start()
  for (const [path, part] of [
    ['/', 'All subscriptions'],
    ['/phones', 'Add a phone'],
    ['/settings', 'Answer to HELP'],
  ] as const) {
    expect(await read(browsers.admin, path), path).toContain(part)
    for (const browser of [browsers.sender, browsers.reader])
      expect(await read(browser, path), path).not.toContain(part)
  }
})

test('a reader sees the fields of a contact', async () => {
  const { browsers } = await start()
  const text = await read(browsers.reader, contact)
  for (const [name, value] of [
    ['Name', 'Ann'],
    ['Number', number],
    ['city', 'Berlin'],
  ])
    expect(text).toContain(`<dt>${name}</dt><dd>${value}</dd>`)
})

test('no page of settings has an empty column', async () => {
  const { browsers } = await start()
  for (const browser of Object.values(browsers))
    expect(await read(browser, '/settings')).not.toMatch(/<div>\s*<\/div>/)
})
