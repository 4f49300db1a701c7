import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  toKeywords,
} from '../../../../src/domain/phone/opt-out-keywords.js'
import {
  type ReceivedTextDraft,
  ReceivedTextService,
} from '../../../../src/server/services/phones/received-text-service.js'
import { World } from '../world.js'

const sender = '+12025550143'

async function open(keywords = toKeywords(defaultStopKeywords, defaultStartKeywords)) {
  const world = await World.open()
  const account = await world.account()
  const service = new ReceivedTextService(world.context, keywords)
  const text = async (message: string, changes: Partial<ReceivedTextDraft> = {}, key?: string) =>
    await service.accept(account, { from: sender, text: message, ...changes }, key)
  const scope = { scope: account.id, country: 'US' }
  const listed = async () => (await world.doNotText.list(scope)).map(each => each.number)
  return { world, account, service, text, scope, listed }
}

async function listEvents(world: World, account: Account): Promise<string[]> {
  const { events } = await world.store.events.getPage({ account: account.id, after: 0, count: 100 })
  return events.map(each => each.event)
}

test.each([
  ['a national number', '0171 2345678', '+491712345678'],
  ['one of no known range', '01512345678', '+491512345678'],
  ['digits with the country code', '4915123456780', '+4915123456780'],
  ['00 in front', '00447911123457', '+447911123457'],
  ['a foreign mobile number that can be a fixed line', '447911123456', '+447911123456'],
  ['a foreign number of no known range', '0085245450000', '+85245450000'],
])('the sender %s is read in the country of the account', async (_, from, expected) => {
  const { world, service } = await open()
  const german = await world.account({ country: 'DE' })
  await service.accept(german, { from, text: 'stop' })
  const [entry] = await world.doNotText.list({ scope: german.id, country: 'DE' })
  expect(entry?.number).toBe(expected)
})

test('YES from a sender who is not listed is an ordinary text', async () => {
  const { world, account, text } = await open()
  expect(await text('Yes')).toMatchObject({ word: 'start' })
  expect(await listEvents(world, account)).toEqual(['message.received'])
})

test('STOP from a name, which cannot be listed, records message.received', async () => {
  const { world, account, text, listed } = await open()
  const stored = await text('STOP', { from: 'VODAFONE' })
  expect(stored).toMatchObject({ from: 'VODAFONE', word: 'stop' })
  expect(stored.number).toBeUndefined()
  expect([await listed(), await listEvents(world, account)]).toEqual([[], ['message.received']])
})

test('without keywords STOP is an ordinary text', async () => {
  const { world, account, text, listed } = await open(toKeywords([], []))
  expect((await text('STOP')).word).toBeUndefined()
  expect([await listed(), await listEvents(world, account)]).toEqual([[], ['message.received']])
})

test('a repeated STOP does not add a number that a person removed', async () => {
  const { world, text, scope, listed } = await open()
  await text('STOP', {}, 'k')
  await world.doNotText.remove(scope, sender)
  await text('STOP', {}, 'k')
  expect(await listed()).toEqual([])
})
