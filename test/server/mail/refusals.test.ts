import { describe, expect, test } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import type { Store } from '../../../src/server/store/store.js'
import { domain, number, startMail } from './rig.js'

describe('senders', () => {
  test.each([
    ['an address', ['bob@example.org']],
    ['a domain', ['@EXAMPLE.org', 'ann@example.com']],
  ])('only %s that is listed, in the envelope and in the header', async (_, senders) => {
    const { send, address, texts } = await startMail()
    const to = await address({ senders })
    expect(await send({ to })).toMatch(/^250 /)
    const other = 'eve@sub.example.org'
    const envelope = (from: string) => ({ from, to })
    expect(await send({ to, from: other })).toMatch(/^550 5\.7\.1 .*envelope sender/)
    const refused = /^550 5\.7\.1 .*From header/
    expect(await send({ from: other, envelope: envelope('bob@example.org') })).toMatch(refused)
    expect(
      await send({ from: ['bob@example.org', other], envelope: envelope('bob@example.org') }),
    ).toMatch(refused)
    expect(await texts()).toHaveLength(1)
  })

  test('all From headers are checked, and one is required', async () => {
    const { send, address, texts } = await startMail()
    const to = await address({ senders: ['bob@example.org'] })
    const envelope = { from: 'bob@example.org', to }
    const two = 'From: bob@example.org\r\nFrom: eve@example.org\r\nSubject: x\r\n\r\nText\r\n'
    expect(await send({ envelope, raw: two })).toMatch(/^550 /)
    expect(await send({ envelope, raw: 'Subject: x\r\n\r\nText\r\n' })).toMatch(/^550 /)
    expect(await texts()).toEqual([])
  })

  test.each([
    ['a bounce', { envelope: { from: '' } }],
    ['an automatic answer', { headers: { 'Auto-Submitted': 'auto-replied (vacation)' } }],
    ['an old automatic answer', { headers: { Precedence: 'auto_reply' } }],
    ['a mailing list', { headers: { 'List-Id': '<news.example.org>' } }],
    ['a list of old', { headers: { Precedence: 'list' } }],
    ['nothing', { text: '' }],
    ['only a quotation', { subject: 'Re: x', text: 'On 1 Jan 2030, Bob wrote:\n> Really?' }],
    ['only an attachment', { text: '', attachments: [{ filename: 'a.txt', content: 'a' }] }],
  ])('%s is rejected', async (_, mail) => {
    const { send, address, texts } = await startMail()
    const to = await address()
    const envelope = 'envelope' in mail ? { envelope: { ...mail.envelope, to } } : {}
    expect(await send({ to, ...mail, ...envelope })).toMatch(/^550 5\.[67]\.[01] /)
    expect(await texts()).toEqual([])
  })

  test('the reply to encrypted mail has the reason, that to one without text the way out', async () => {
    const { send, address, texts } = await startMail()
    const to = await address({ subject: 'first' })
    const block = '-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n'
    const types = ['multipart/encrypted; boundary=b', 'application/pkcs7-mime; name=smime.p7m']
    const mails = [
      { text: block },
      { text: `Ann encrypted this:\n\n${block}` },
      ...types.map(type => ({
        raw: `From: bob@example.org\r\nContent-Type: ${type}\r\n\r\nMIAG\r\n`,
      })),
    ]
    for (const mail of mails) {
      const envelope = { from: 'bob@example.org', to }
      expect(await send({ envelope, ...mail })).toMatch(/^550 5\.6\.0 .*encrypted/)
    }
    expect(await send({ to: await address(), text: '' })).toMatch(/^550 5\.6\.0 .*--subject first/)
    expect(await texts()).toEqual([])
  })

  test('a delivery report is rejected', async () => {
    const { send, address } = await startMail()
    const to = await address()
    const head = 'From: mailer@example.org\r\nContent-Type: multipart/report; boundary=x\r\n\r\n'
    const raw = `${head}--x\r\nContent-Type: text/plain\r\n\r\nCould not deliver\r\n--x--\r\n`
    const envelope = { from: 'mailer@example.org', to }
    expect(await send({ envelope, raw })).toMatch(/^550 5\.7\.1 /)
  })

  test('a mailing list whose sender is listed is accepted', async () => {
    const { send, address } = await startMail()
    const to = await address({ senders: ['bob@example.org'] })
    expect(await send({ to, headers: { 'List-Id': '<alerts.example.org>' } })).toMatch(/^250 /)
  })

  test('one forbidden recipient rejects the mail for all', async () => {
    const { send, address, texts } = await startMail()
    const open = await address()
    const closed = await address({ senders: ['ann@example.com', '@example.org'] })
    const envelope = { from: 'bob@example.org', to: [open, closed] }
    expect(await send({ envelope, from: 'eve@example.net' })).toMatch(/^550 /)
    expect(await texts()).toEqual([])
  })
})

describe('recipients', () => {
  test.each([
    ['nobody', `nobody@${domain}`, /^550 5\.1\.1 /],
    ['a wrong key', `${number}.${'a'.repeat(32)}@${domain}`, /^550 5\.1\.1 /],
    ['another domain', 'bob@example.net', /^550 5\.7\.1 /],
    ['a domain below', `bob@sub.${domain}`, /^550 5\.7\.1 /],
    ['the postmaster', `postmaster@${domain}`, /^550 5\.1\.1 /],
  ])('%s is rejected', async (_, to, refused) => {
    const { send } = await startMail()
    expect(await send({ to })).toMatch(refused)
  })

  test('an invalid, a missing and an unexpected number are rejected', async () => {
    const { send, address } = await startMail()
    const keyed = await address()
    const pinned = await address({ destinations: [number] })
    expect(await send({ to: keyed.replace(number, '12') })).toMatch(/^550 5\.1\.3 .*dialled/)
    expect(await send({ to: keyed.replace(`${number}.`, '') })).toMatch(/^550 5\.1\.1 /)
    expect(await send({ to: `${number}.${pinned}` })).toMatch(/^550 5\.1\.1 /)
  })

  test('a removed mailbox and those of a removed account are rejected', async () => {
    const { send, client, relay } = await startMail()
    const created = await client.mailboxes.create({ destinations: [number] })
    const left = await client.mailboxes.create({ destinations: [number] })
    await client.mailboxes.delete(created.id)
    expect(await send({ to: created.address })).toMatch(/^550 5\.1\.1 /)
    expect(await send({ to: left.address })).toMatch(/^250 /)
    await relay.administration.deleteAccount('ann@example.com')
    expect(await send({ to: left.address })).toMatch(/^550 5\.1\.1 /)
  })
})

describe('limits', () => {
  test('a mailbox has an hourly limit', async () => {
    let time = Date.now()
    const { send, address, texts } = await startMail({ now: () => time })
    const to = await address({ hourly_limit: 2 })
    for (const reply of [/^250 /, /^250 /, /^450 4\.7\.1 .*\b2\b/]) {
      expect(await send({ to })).toMatch(reply)
    }
    expect(await texts()).toHaveLength(2)
    time += 60 * 60_000
    expect(await send({ to })).toMatch(/^250 /)
  })

  test('a mail with more messages than the hourly limit is rejected for good', async () => {
    const { send, address, texts } = await startMail()
    const to = await address({ hourly_limit: 1 })
    const envelope = { from: 'bob@example.org', to: [to, to.replace('0143', '0144')] }
    expect(await send({ envelope })).toMatch(/^552 5\.7\.1 /)
    expect(await texts()).toEqual([])
  })
})

test('on a full disk mail gets a temporary error, and a retry becomes one message', async () => {
  let full = false
  const wrap = (store: Store): Store => withChange(store, () => full)
  const { send, address, texts, reported } = await startMail({ wrap })
  const mail = { to: await address({ hourly_limit: 1 }), messageId: '<one@example.org>' }
  full = true
  expect(await send(mail)).toMatch(/^451 4\.3\.0 /)
  full = false
  expect(await send(mail)).toMatch(/^250 /)
  expect(await texts()).toHaveLength(1)
  expect(reported).toEqual([])
})

/** A store that cannot change messages while it is full. */
function withChange(store: Store, isFull: () => boolean): Store {
  const change: Store['messages']['change'] = async (...parameters) => {
    if (isFull()) throw new RelayError('unavailable', 'No space left.')
    return await store.messages.change(...parameters)
  }
  return replaced(store, 'messages', replaced(store.messages, 'change', change))
}

function replaced<T extends object>(target: T, name: keyof T, value: unknown): T {
  return new Proxy(target, {
    get: (_, property) => {
      const own: unknown = property === name ? value : Reflect.get(target, property)
      return typeof own === 'function' && property !== name ? own.bind(target) : own
    },
  })
}
