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

test('a role without the actions of a table sees no column for them', async () => {
  const { url, ann, browsers } = await startWithPeople()
  const client = openClient(url, ann)
  await client.contacts.create({ number, groups: ['Crew'] })
  await client.templates.create({ name: 'Repaired', text: 'It is repaired.' })
  await client.doNotText.add('+12025550144')
  for (const path of ['/contacts/groups', '/templates', '/do-not-text']) {
    expect(await read(browsers.sender, path), path).toContain('acts-cell')
    const text = await read(browsers.reader, path)
    expect(text, path).toContain('<table')
    expect(text, path).not.toMatch(/acts-cell|>Actions</)
  }
})

test('a reader gets from a group to its members, and a sender also to its name', async () => {
  const { browsers, group } = await startWithGroup()
  const members = `href="/contacts?group=${group}"`
  const rename = `href="/contacts/groups/${group}"`
  expect(await read(browsers.sender, '/contacts/groups')).toContain(rename)
  const text = await read(browsers.reader, '/contacts/groups')
  expect(text).toContain(members)
  expect(text).not.toContain(rename)
})

async function startWithGroup() {
  const relay = await startWithPeople()
  const client = openClient(relay.url, relay.ann)
  await client.contacts.create({ number, groups: ['Crew'] })
  const [found] = await client.groups.list()
  return { ...relay, group: found?.id ?? '' }
}

test('a reader sees the text of a template', async () => {
  const { url, ann, browsers } = await startWithPeople()
  const { id } = await openClient(url, ann).templates.create({ name: 'Done', text: 'Dear {name}' })
  expect(await read(browsers.reader, `/templates/${id}`)).toContain('Dear {name}')
})

test('a new account tells only admins to start a phone and to fill empty lists', async () => {
  const { browsers } = await startWithPeople()
  expect(await read(browsers.admin, '/')).toContain('First steps')
  for (const browser of [browsers.sender, browsers.reader])
    expect(await read(browser, '/')).not.toContain('First steps')
  for (const path of ['/contacts', '/templates', '/contacts/groups', '/phones'])
    expect(await read(browsers.reader, path), path).not.toMatch(/below|Create|Add one/)
})

test('a problem shows its next step to those who can take it, and others who can', async () => {
  const { url, ann, browsers } = await startWithPeople()
  const client = openClient(url, ann)
  const { id } = await client.subscriptions.create({
    ...{ event: 'message.sent', url: 'https://hooks.example.com/' },
  })
  await client.subscriptions.pause(id)
  expect(await read(browsers.admin, '/')).toContain('Check the receiver, then resume.')
  const text = await read(browsers.sender, '/')
  expect(text).toContain('An admin of the account can solve this.')
  expect(text).not.toContain('then resume')
})

test('a reader is not led from a conversation to a form that adds a contact', async () => {
  const { url, ann, browsers } = await startWithPeople()
  await openClient(url, ann).messages.create({ destination: number, message: 'Hello' })
  const path = `/conversations/${encodeURIComponent(number)}`
  expect(await read(browsers.sender, path)).toContain('Add to contacts')
  expect(await read(browsers.reader, path)).not.toContain('Add to contacts')
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
