import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { hour, World } from '../world.js'

const sender = '+12025550143'
const helpText = 'Example Shop. Text STOP to end.'
const stopText = 'You get no more texts.'

async function open(texts: Partial<Account> = { helpText, stopText }) {
  const world = await World.open()
  const account = await world.account(texts)
  const phone = await world.phone(account)
  const scope = { scope: account.id, country: 'US' }
  const receive = async (text: string, from = sender, key?: string) => {
    return await world.receiving().accept(account, { from, text }, key)
  }
  /** The texts that a phone sends until nothing is due. */
  const sendAll = async () => {
    const sent: string[] = []
    for (;;) {
      const message = await world.claims.next(account, phone)
      if (message === undefined) return sent
      await world.sent(account, phone, message.id)
      sent.push(`${message.destination} ${message.text}`)
    }
  }
  const events = async () => {
    const query = { account: account.id, after: 0, count: 100 }
    return (await world.store.events.getPage(query)).events.map(each => each.event)
  }
  return { world, account, phone, scope, receive, sendAll, events }
}

test.each(['HELP', 'info', ' Help! '])('%j is answered and recorded as received', async text => {
  const { receive, sendAll, events } = await open()
  expect(await receive(text)).toMatchObject({ word: 'help', reply: expect.any(String) })
  expect(await events()).toEqual(['message.received', 'message.create'])
  expect(await sendAll()).toEqual([`${sender} ${helpText}`])
})

test('an account has a limit of replies in a day, to all senders', async () => {
  const { world, receive } = await open({ helpText, stopText, limits: { messagesPerDay: 2 } })
  const isAnswered = async (text: string, from: string) =>
    (await receive(text, from)).reply !== undefined
  expect(await isAnswered('HELP', '+12025550101')).toBe(true)
  expect(await isAnswered('hello', '+12025550102')).toBe(false)
  expect(await isAnswered('HELP', '611')).toBe(false)
  expect(await isAnswered('STOP', '+12025550103')).toBe(true)
  expect(await isAnswered('HELP', '+12025550104')).toBe(false)
  await world.advance(24 * hour)
  expect(await isAnswered('HELP', '+12025550104')).toBe(true)
})

test('a text of more than a day ago is not answered, nor one that no phone reports', async () => {
  const { world, account, sendAll } = await open()
  const texts = world.receiving()
  const receivedAt = world.clock.now() - 24 * hour
  await texts.accept(account, { from: sender, text: 'HELP', receivedAt })
  await texts.accept(account, { from: sender, text: 'STOP' }, undefined, false)
  expect(await sendAll()).toEqual([])
})

test('a sentence with a keyword is not answered', async () => {
  const { receive, sendAll } = await open()
  await receive('help me')
  await receive('please stop')
  expect(await sendAll()).toEqual([])
})

test('a text that a phone reports twice is answered once, also after a restart', async () => {
  const { world, receive, sendAll } = await open()
  const [first, second] = await Promise.all([
    receive('HELP', sender, 'k'),
    receive('HELP', sender, 'k'),
  ])
  expect(second).toEqual(first)
  await world.restart()
  expect(await receive('HELP', sender, 'k')).toEqual(first)
  expect(await sendAll()).toEqual([`${sender} ${helpText}`])
})

describe('the confirmation of STOP', () => {
  test.each(['*', 'own'])('is not sent to a number on the list of %s before', async which => {
    const { world, scope, receive, sendAll } = await open()
    await world.doNotText.add(which === '*' ? { scope: '*', country: '' } : scope, sender)
    await receive('STOP')
    await receive('HELP')
    expect(await sendAll()).toEqual([])
  })
})

test.each([
  ['a name', 'VODAFONE'],
  ['a short code', '12345'],
  ['an e-mail address', 'bot@example.com'],
])('%s is not answered', async (_, from) => {
  const { receive, sendAll } = await open()
  await receive('HELP', from)
  await receive('STOP', from)
  expect(await sendAll()).toEqual([])
})

test('a test number is answered, as the sandbox needs', async () => {
  const { receive, sendAll } = await open()
  await receive('HELP', '5551212')
  expect(await sendAll()).toEqual([`5551212 ${helpText}`])
})

describe('the limit of automatic replies', () => {
  test('is 3 an hour and 10 a day for each number, also after a restart', async () => {
    const { world, receive, sendAll } = await open()
    const counts: number[] = []
    for (let round = 0; round < 5; round += 1) {
      for (let times = 0; times < 5; times += 1) await receive('HELP')
      counts.push((await sendAll()).length)
      await world.restart()
      await world.advance(hour)
    }
    expect(counts).toEqual([3, 3, 3, 1, 0])
    await receive('HELP', '+12025550144')
    expect(await sendAll()).toHaveLength(1)
    await world.advance(24 * hour)
    await receive('HELP')
    expect(await sendAll()).toHaveLength(1)
  })

  test('counts confirmations too, while START and STOP still have their effect', async () => {
    const { world, scope, receive, sendAll } = await open()
    for (let times = 0; times < 6; times += 1) {
      await receive('START')
      await receive('STOP')
    }
    expect(await sendAll()).toHaveLength(3)
    expect(await world.doNotText.list(scope)).toHaveLength(1)
  })

  test('ends a loop of two machines that answer each other with keywords', async () => {
    const first = await open({ helpText: 'INFO' })
    const second = await open({ helpText: 'HELP' })
    await first.receive('HELP')
    let rounds = 0
    for (let texts = ['x']; texts.length > 0; rounds += 1) {
      texts = await first.sendAll()
      for (const _ of texts) await second.receive('INFO', '+12025550188')
      texts = await second.sendAll()
      for (const _ of texts) await first.receive('HELP')
    }
    expect(rounds).toBe(4)
  })
})
