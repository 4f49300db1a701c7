import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../quick-relay.js'
import { dial, domain, number, startMail } from './rig.js'

const nobody = `RCPT TO:<nobody@${domain}>`
const mail = 'From: bob@example.org\r\nMessage-ID: <one@example.org>\r\n\r\nThe disk is full.\r\n'

test('without a certificate EHLO lists no STARTTLS, and any login is accepted', async () => {
  const { port } = await startMail()
  const { say, reply } = await dial(port, '127.0.0.2')
  expect(await reply()).toBe(`220 ${domain} ESMTP smsrelay`)
  const lines = (await say('EHLO test')).split('\r\n').map(line => line.slice(4))
  expect(lines.slice(1).sort()).toEqual([
    ...['8BITMIME', 'AUTH PLAIN LOGIN', 'PIPELINING', 'SIZE 26214400', 'SMTPUTF8'],
  ])
  expect(await say('AUTH PLAIN AGEAYg==')).toMatch(/^235 /)
  for (const line of ['STARTTLS', 'WIZ x', 'XCLIENT ADDR=127.0.0.1']) {
    expect(await say(line)).toMatch(/^500 /)
  }
})

test('wrong order and syntax get errors', async () => {
  const { port } = await startMail()
  const { say, reply } = await dial(port)
  await reply()
  expect(await say('MAIL FROM:<bob@example.org>')).toMatch(/^503 /)
  expect(await say('EHLO test')).toMatch(/^250/)
  expect(await say(nobody)).toMatch(/^503 /)
  expect(await say('MAIL FROM:')).toMatch(/^501 /)
  expect(await say('MAIL FROM:<bob@example.org> SIZE=30000000')).toMatch(/^552 /)
  expect(await say('MAIL FROM:<bob@example.org>')).toMatch(/^250 /)
  expect(await say('DATA')).toMatch(/^503 /)
})

test('nobody names other clients unless the owner allows it', async () => {
  const { port } = await startMail()
  const { say, greeted } = await dial(port)
  expect(await greeted()).not.toContain('XFORWARD')
  expect(await say('XFORWARD ADDR=192.0.2.3')).toMatch(/^5\d\d /)
})

test('a mail server on this machine names the clients that guess', async () => {
  const settings = { smtpXforward: true, smtpLimits: { unknown: 2, connectionsEach: 1 } }
  const { port } = await startMail({ settings })
  const guess = async (client: string, times: number): Promise<string> => {
    const { say, greeted, socket, closed } = await dial(port)
    await greeted()
    expect(await say(`XFORWARD NAME=mx.example.net ADDR=${client}`)).toMatch(/^250 /)
    await say('MAIL FROM:<eve@example.net>')
    let reply = ''
    for (let n = 0; n < times; n += 1) reply = await say(nobody)
    socket.end()
    await closed
    return reply
  }
  expect(await guess('192.0.2.1', 3)).toMatch(/^421 4\.7\.0 /)
  expect(await guess('192.0.2.2', 2)).toMatch(/^550 5\.1\.1 /)
  expect(await guess('IPV6:2001:db8::1', 3)).toMatch(/^421 4\.7\.0 /)
  expect(await guess('IPV6:2001:db8::2', 1)).toMatch(/^421 4\.7\.0 /)
  const other = await dial(port, '127.0.0.2')
  expect(await other.greeted()).not.toContain('XFORWARD')
  expect(await other.say('XFORWARD ADDR=192.0.2.3')).toMatch(/^5\d\d /)
})

test('unknown recipients end the connection, and known ones are still accepted', async () => {
  const { port, address, send, texts } = await startMail({
    settings: { smtpLimits: { unknown: 3 } },
  })
  const to = await address()
  const first = await dial(port)
  await first.greeted()
  await first.say('MAIL FROM:<eve@example.net>')
  for (let n = 0; n < 3; n += 1) expect(await first.say(nobody)).toMatch(/^550 5\.1\.1 /)
  expect(await first.say(nobody)).toMatch(/^421 4\.7\.0 /)
  await first.closed
  const second = await dial(port)
  await second.greeted()
  await second.say('MAIL FROM:<eve@example.net>')
  expect(await second.say(nobody)).toMatch(/^421 /)
  expect(await send({ to })).toMatch(/^250 /)
  expect(await texts()).toHaveLength(1)
})

test('a picture does not lose the text, up to the size of a mail', async () => {
  const { port, address, texts } = await startMail({ settings: { smtpMaxSize: 3 } })
  const to = await address()
  const { say, greeted } = await dial(port)
  expect(await greeted()).toContain(`SIZE ${3 * 1024 * 1024}`)
  const head = 'From: bob@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  const text = '\r\n--b\r\n\r\nThe door is open.\r\n--b--\r\n'
  const picture = '--b\r\nContent-Type: image/jpeg\r\n\r\n'
  const long = '--b\r\n\r\n'
  for (const [part, bytes, answer] of [
    [picture, 4_000_000, /^552 5\.3\.4 .*3145728 bytes/],
    [long, 2_000_000, /^552 5\.3\.4 The text .*1048576 bytes/],
    [picture, 2_000_000, /^250 /],
  ] as const) {
    await say('MAIL FROM:<bob@example.org>')
    await say(`RCPT TO:<${to}>`)
    await say('DATA')
    const lines = `${'/9j/4AAQ'.repeat(90)}\r\n`.repeat(bytes / 722)
    expect(await say(`${head}${part}${lines}${text}.`)).toMatch(answer)
  }
  expect(await texts()).toMatchObject([{ text: 'The door is open.' }])
})

test('recipients are limited', async () => {
  const { port, address } = await startMail({ settings: { smtpLimits: { recipients: 2 } } })
  const to = await address()
  const { say, greeted } = await dial(port)
  await greeted()
  await say('MAIL FROM:<bob@example.org>')
  for (const last of ['3', '4']) {
    expect(await say(`RCPT TO:<${to.replace(number, `+1202555014${last}`)}>`)).toMatch(/^250 /)
  }
  expect(await say(`RCPT TO:<${to.replace(number, '+12025550145')}>`)).toMatch(/^452 /)
})

test('connections are limited, by address and in total', async () => {
  const { port } = await startMail({
    settings: { smtpLimits: { connections: 2, connectionsEach: 1 } },
  })
  const first = await dial(port)
  expect(await first.reply()).toMatch(/^220 /)
  const second = await dial(port)
  expect(await second.reply()).toMatch(/^421 4\.7\.0 /)
  await second.closed
  expect(await first.say('QUIT')).toMatch(/^221 /)
  first.socket.end()
  await first.closed
  expect(await (await dial(port)).reply()).toMatch(/^(220|421) /)
})

test.each([
  ['is silent', { idleTimeout: 300 }],
  ['lasts too long', { lifetime: 300 }],
])('a connection that %s is closed', async (_, smtpLimits) => {
  const { port } = await startMail({ settings: { smtpLimits } })
  const { reply, greeted, closed } = await dial(port)
  await greeted()
  expect(await reply()).toMatch(/^421 /)
  await closed
})

test('an incomplete mail becomes no message', async () => {
  const { port, address, texts, reported, relay } = await startMail()
  const to = await address()
  const { say, greeted, socket, closed } = await dial(port)
  await greeted()
  await say('MAIL FROM:<bob@example.org>')
  await say(`RCPT TO:<${to}>`)
  expect(await say('DATA')).toMatch(/^354 /)
  socket.end(mail)
  await closed
  expect(await texts()).toEqual([])
  await relay.stop()
  expect(reported).toEqual([])
})

test('a stop ends idle connections at once, and waits for mail in progress', async () => {
  const { port, address, relay } = await startMail()
  const to = await address()
  const idle = await dial(port)
  const busy = await dial(port)
  await idle.greeted()
  await busy.greeted()
  await busy.say('MAIL FROM:<bob@example.org>')
  await busy.say(`RCPT TO:<${to}>`)
  await busy.say('DATA')
  const stopped = relay.stop()
  expect(await idle.reply()).toMatch(/^421 4\.3\.2 /)
  busy.socket.write(`${mail}.\r\n`)
  expect(await busy.reply()).toMatch(/^250 /)
  await busy.closed
  await stopped
})

test('a used port is a configuration error, and start can be called again', async () => {
  const { port, relay } = await startMail()
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-mail-'))
  onTestFinished(async () => await rm(dataDir, { recursive: true }))
  const second = await createRelay({ dataDir, port: 0, smtpPort: port, smtpDomain: domain })
  await expect(second.start()).rejects.toMatchObject({
    code: 'configuration',
    message: `Another program is listening on 127.0.0.1:${port}.`,
    hint: expect.stringContaining('--smtp-port'),
  })
  await relay.stop()
  await second.start()
  expect(second.smtpUrl).toBe(`smtp://127.0.0.1:${port}`)
  await second.stop()
})

test('a relay has no mail server by default', async () => {
  const { relay, client } = await startMail({ settings: { smtpPort: undefined } })
  expect(relay.smtpUrl).toBeUndefined()
  expect(await client.mailboxes.create({})).toMatchObject({ receiving: false })
})

test.each(['<>', '<double-bounce@mx.example.net>'])(
  'a mail server with the sender %s can check whether a recipient exists',
  async sender => {
    const { port, address } = await startMail()
    const to = await address({ senders: ['bob@example.org'] })
    const { say, greeted } = await dial(port)
    await greeted()
    expect(await say(`MAIL FROM:${sender}`)).toMatch(/^250 /)
    expect(await say(nobody)).toMatch(/^550 5\.1\.1 /)
    expect(await say(`RCPT TO:<${to}>`)).toMatch(/^250 /)
    expect(await say('QUIT')).toMatch(/^221 /)
  },
)

test.each(['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r'])(
  'only CRLF, a point and CRLF end a mail: what follows %j is no second one',
  async end => {
    const { port, address, texts } = await startMail()
    const to = await address()
    const { say, greeted } = await dial(port)
    await greeted()
    await say('MAIL FROM:<bob@example.org>')
    await say(`RCPT TO:<${to}>`)
    await say('DATA')
    const smuggled = `MAIL FROM:<eve@example.net>\r\nRCPT TO:<${to}>\r\nDATA\r\n${mail}`
    expect(await say(`${mail}${end}${smuggled}.`)).toMatch(/^250 /)
    expect(await say('NOOP')).toMatch(/^250 /)
    expect(await texts()).toHaveLength(1)
  },
)

test('envelope addresses are read as devices write them', async () => {
  const { port, address, texts } = await startMail()
  const to = await address({ destinations: [number], senders: ['*'] })
  const from = [
    'MAIL FROM:<ilo.@srv1.example.com>',
    'MAIL FROM:<a..b@srv1.example.com> SIZE=100 BODY=8BITMIME',
    'MAIL FROM: ups@example.com',
    'mail from:ups@example.com SIZE=100',
    'MAIL FROM:<root>',
    'MAIL FROM:root',
    'MAIL FROM:<root@my_nas>',
    'MAIL FROM:< cam@example.com >',
    'MAIL FROM: Back UPS <ups@example.com>',
    'MAIL FROM:<@relay.example.com:ups@example.com>',
    'MAIL FROM:ups@example.com AUTH=<>',
    'MAIL FROM:<ups@example.com> AUTH=<>',
    'MAIL FROM: ups@example.com <ups@example.com>',
    'MAIL FROM:<front door@cam>',
    'MAIL FROM:<root@>',
  ]
  const local = to.replace(/@.*/, '')
  const { say, greeted } = await dial(port)
  await greeted()
  for (const [at, line] of from.entries()) {
    expect(await say(line), line).toMatch(/^250 /)
    const rcpt = [`RCPT TO: ${to}`, `rcpt to:<${local}>`, `RCPT TO:<${to}.>`][at % 3] ?? ''
    expect(await say(rcpt), rcpt).toMatch(/^250 /)
    await say('DATA')
    expect(await say(`From: bob@example.org\r\n\r\n${line}\r\n.`)).toMatch(/^250 /)
  }
  expect((await texts()).map(({ text }) => text)).toEqual(from)
  for (const line of ['MAIL FROM:<a\u0007@b>', 'MAIL FROM:<a@b@c>', 'MAIL <a@b>']) {
    expect(await say(line), line).toMatch(/^50[01] /)
  }
})

test('a sender without a domain has that of the relay', async () => {
  const { port, address } = await startMail()
  const to = await address({ senders: [`root@${domain}`] })
  const { say, greeted } = await dial(port)
  await greeted()
  for (const [from, reply] of [
    ['root', /^250 /],
    ['daemon', /^550 /],
  ] as const) {
    await say(`MAIL FROM:<${from}>`)
    await say(`RCPT TO:<${to}>`)
    await say('DATA')
    expect(await say('From: root (Cron)\r\n\r\nText\r\n.')).toMatch(reply)
  }
})
