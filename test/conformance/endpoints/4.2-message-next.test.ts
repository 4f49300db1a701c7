import { beforeEach, expect, test } from 'vitest'
import { claim, createDue, drain, succeed } from '../acts.js'
import { type Caller, expectError, signInCaller, useCallers } from '../calls.js'

const at = useCallers()

beforeEach(async () => {
  await drain(at.phone)
  await drain(at.secondPhone)
})

async function expectEmpty(phone: Caller): Promise<void> {
  expectError(await phone.next(), 404, 'not_a_message')
}

/** Returns a past time; a larger `minutes` is a later time. */
const past = (minutes: number) => `2001-01-01 00:${String(minutes).padStart(2, '0')}:00`

test('4.2 NEXT returns the message with the oldest due time first', async () => {
  const late = await createDue(at.api, { send_on: past(3) })
  const early = await createDue(at.api, { send_on: past(1) })
  const middle = await createDue(at.api, { send_on: past(2) })
  const order: string[] = []
  for (let n = 0; n < 3; n += 1) {
    order.push((await claim(at.phone)).id)
    await succeed(at.phone, order[n] ?? '')
  }
  expect(order).toEqual([early.id, middle.id, late.id])
})

test('4.2 NEXT returns the same message to the same token until its report', async () => {
  const first = await createDue(at.api, { send_on: past(1) })
  const second = await createDue(at.api, { send_on: past(2) })
  expect([(await claim(at.phone)).id, (await claim(at.phone)).id]).toEqual([first.id, first.id])
  await succeed(at.phone, first.id)
  expect((await claim(at.phone)).id).toBe(second.id)
})

test('4.2 NEXT returns another message to another token', async () => {
  const first = await createDue(at.api, { send_on: past(1) })
  const second = await createDue(at.api, { send_on: past(2) })
  expect((await claim(at.phone)).id).toBe(first.id)
  expect((await claim(at.secondPhone)).id).toBe(second.id)
  expect((await claim(at.phone)).id).toBe(first.id)
  await succeed(at.secondPhone, second.id)
  await expectEmpty(at.secondPhone)
})

test('4.2 NEXT never returns one message to two phones at once', async () => {
  const { secret_key, app_key } = at.owner
  const logins = Array.from({ length: 6 }, () => signInCaller(at.baseUrl, secret_key, app_key))
  const phones = await Promise.all(logins)
  const made: string[] = []
  for (let n = 0; n < 6; n += 1) made.push((await createDue(at.api)).id)
  const claimed = (await Promise.all(phones.map(phone => claim(phone)))).map(({ id }) => id)
  expect(claimed.toSorted()).toEqual(made.toSorted())
  for (const id of claimed) await succeed(at.api, id)
})
