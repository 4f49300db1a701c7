import { describe, expect, test } from 'vitest'
import { domain, number, startMail } from './rig.js'

describe('a mail becomes a message', () => {
  test('to the number before the key, from its plain part', async () => {
    const { send, address, texts } = await startMail()
    expect(await send({ to: await address(), html: '<p>not this</p>' })).toMatch(/^250 /)
    expect(await texts()).toEqual([{ to: number, text: 'The disk is full.', source: 'email' }])
  })

  test.each(['12025550143', '+1-202-555-0143', '2025550143'])(
    'with the number written as %s, in capitals too',
    async written => {
      const { send, address, texts } = await startMail()
      const to = (await address()).replace(number, written).toUpperCase()
      expect(await send({ to })).toMatch(/^250 /)
      expect(await texts()).toMatchObject([{ to: number }])
    },
  )

  test('to each destination of the mailbox', async () => {
    const { send, address, texts } = await startMail()
    const destinations = ['+12025550143', '+12025550144']
    const alias = await address({ alias: 'Alerts', destinations, senders: ['*'] })
    expect(alias).toBe(`alerts@${domain}`)
    expect(await send({ to: alias })).toMatch(/^250 /)
    expect(await send({ to: await address({ destinations }) })).toMatch(/^250 /)
    expect((await texts()).map(({ to }) => to)).toEqual([...destinations, ...destinations])
  })

  test('from HTML if there is no plain part', async () => {
    const { send, address, texts } = await startMail()
    const html = '<style>p{}</style><p>The <b>disk</b> is&nbsp;full.<br>Sorry</p>'
    expect(await send({ to: await address(), text: '', html })).toMatch(/^250 /)
    expect(await texts()).toMatchObject([{ text: 'The disk is full.\nSorry' }])
  })

  test('with its subject first if the mailbox includes it', async () => {
    const { send, address, texts } = await startMail()
    const to = await address({ subject: 'first' })
    await send({ to, subject: 'Grüße aus Köln — täglich und immer wieder ein langer Betreff' })
    await send({ to, subject: 'Only this', text: '' })
    expect((await texts()).map(({ text }) => text)).toEqual([
      'Grüße aus Köln — täglich und immer wieder ein langer Betreff\nThe disk is full.',
      'Only this',
    ])
  })

  test('without quotations and signature only if it is a reply', async () => {
    const { send, address, texts } = await startMail()
    const to = await address()
    const text = 'Yes.\n\nOn 1 Jan 2030, Bob wrote:\n> Really?\n\n-- \nAnn'
    const replies = [
      { inReplyTo: '<q@example.org>' },
      { references: '<q@example.org>' },
      ...[
        'Re: x',
        'AW: x',
        '[desk] SV: x',
        'Antw: x',
        'RE[2]: x',
        '回复：x',
        'Ré : x',
        '答复: x',
      ].map(subject => ({ subject })),
    ]
    for (const reply of replies) await send({ to, text, ...reply })
    expect(new Set((await texts()).map(each => each.text))).toEqual(new Set(['Yes.']))
  })

  test('as a program wrote it', async () => {
    const written = [
      'CPU of db1:\n> 90 % for 10 minutes',
      'You missed a call.\nFrom: +1 202 555 0199\nDate: 2030-01-07 10:00\nExtension 12',
      '3c3\n< ann:x:1000\n---\n> ann:x:0',
      'Rows\n--\nfree 3',
      'Fax received.\nSent from mobile 0151',
      'On 7 Jan at 10:00 cron wrote:\n> ok',
    ]
    const { send, address, texts } = await startMail()
    const to = await address()
    for (const text of written) await send({ to, text: text.replace('--\n', '-- \n') })
    expect((await texts()).map(({ text }) => text)).toEqual(written)
  })

  test('truncated to the length of the mailbox', async () => {
    const { send, address, texts } = await startMail()
    await send({ to: await address({ max_length: 20 }), text: 'word '.repeat(10) })
    await send({ to: await address(), text: 'a'.repeat(5000) })
    const [first, second] = await texts()
    expect(first?.text).toBe('word word word wo...')
    expect(second?.text).toHaveLength(1600)
  })

  test('also from cron, with Auto-Submitted: auto-generated', async () => {
    const { send, address, texts } = await startMail()
    const headers = {
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      'X-Cron-Env': '<A=b>',
    }
    expect(await send({ to: await address(), headers })).toMatch(/^250 /)
    expect(await texts()).toHaveLength(1)
  })

  test('that is blocked if its number is on the Do Not Text list', async () => {
    const { send, client, address } = await startMail()
    await client.doNotText.add(number)
    expect(await send({ to: await address() })).toMatch(/^250 /)
    expect(await client.messages.list({ filter: 'blocked' })).toHaveLength(1)
  })
})

describe('a repeated mail', () => {
  test('is recognized by its Message-ID', async () => {
    const { send, address, texts } = await startMail()
    const to = await address()
    const again = { to, messageId: '<one@example.org>' }
    expect([await send(again), await send(again)]).toEqual([
      expect.stringMatching(/^250 /),
      expect.stringMatching(/^250 /),
    ])
    await send({ to, messageId: '<two@example.org>' })
    expect(await texts()).toHaveLength(2)
  })

  test('to another mailbox, or with another text, is a new message', async () => {
    const { send, address, texts } = await startMail()
    const to = await address()
    const messageId = '<one@example.org>'
    await send({ to, messageId })
    await send({ to: await address(), messageId })
    await send({ to, messageId, text: 'Now it is empty.' })
    expect(await texts()).toHaveLength(3)
  })

  test('without a Message-ID is recognized by its date', async () => {
    const { send, address, texts } = await startMail()
    const to = await address()
    const envelope = { from: 'bob@example.org', to }
    const raw = (date: string) => `From: bob@example.org\r\n${date}\r\n\r\nThe disk is full.\r\n`
    for (const day of ['1', '1', '2']) {
      await send({ envelope, raw: raw(`Date: Tue, ${day} Jan 2030 10:00:00 +0000`) })
    }
    expect(await texts()).toHaveLength(2)
    await send({ envelope, raw: raw('X-Nothing: here') })
    await send({ envelope, raw: raw('X-Nothing: here') })
    expect(await texts()).toHaveLength(4)
  })

  test('twice in one envelope becomes one message', async () => {
    const { send, address, texts } = await startMail()
    const to = await address()
    await send({ to: [to, to.replace('+1', '1')] })
    expect(await texts()).toHaveLength(1)
  })
})
