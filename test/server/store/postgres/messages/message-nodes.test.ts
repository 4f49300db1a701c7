import { beforeEach, describe, expect, test } from 'vitest'
import { claimMessage } from '../../../../../src/domain/message/claim.js'
import { createMessage, editMessage } from '../../../../../src/domain/message/edit-message.js'
import type { Message } from '../../../../../src/domain/message/message.js'
import { releaseMessage, reportSuccess } from '../../../../../src/domain/message/report.js'
import type { Store } from '../../../../../src/server/store/store.js'
import {
  accept,
  formatPlace,
  listEvents,
  listMessages,
  messageWith,
  next,
  start,
} from '../../rig.js'
import { createPostgresDatabase } from '../postgres-rig.js'

const lease = 120_000
const by = { holder: 'p', now: start }

let one: Store
let other: Store

beforeEach(async () => {
  const database = await createPostgresDatabase()
  one = await database.open()
  other = await database.openCopy()
})

/** Runs something many times; returns the results in order. */
async function repeat<T>(count: number, run: (at: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, async (_, at) => await run(at)))
}

describe('what two nodes do at once', () => {
  test('claims of one token give the same message', async () => {
    const expiresAt = start + lease
    for (let at = 0; at < 20; at += 1) {
      const holder = `token ${at}`
      await one.tokens.put({ id: holder, account: 'a', kind: 'app', expiresAt })
      await accept(one, `m${formatPlace(at)}a`)
      await accept(other, `m${formatPlace(at)}b`)
      const ids = await Promise.all([next(one, holder), next(other, holder)])
      expect(ids).toEqual([ids[0], ids[0]])
      await next(one, `rest ${at}`)
    }
  })

  test('claims of many tokens give each message once', async () => {
    await repeat(60, async at => await accept(one, `m${formatPlace(at)}`))
    const ids = await repeat(60, async at => await next(at % 2 === 0 ? one : other, `p${at}`))
    expect(new Set(ids).size).toBe(60)
    expect(ids).not.toContain(undefined)
  })

  test('requests with one idempotency key create one message', async () => {
    for (let at = 0; at < 20; at += 1) {
      const once = { account: 'a', key: `k${at}`, digest: 'd', until: start + 1000 }
      const ids = await repeat(
        2,
        async nth => (await accept(nth === 0 ? one : other, `m${at}-${nth}`, {}, once))?.id,
      )
      expect(ids).toEqual([ids[0], ids[0]])
    }
    expect(await listMessages(one)).toHaveLength(20)
  })

  test('events have numbers without gaps, and none appears behind a later one', async () => {
    const seen: number[] = []
    let isDone = false
    const follow = async (): Promise<void> => {
      while (!isDone) {
        const after = seen.at(-1) ?? 0
        const { events } = await other.events.getPage({ account: 'a', after, count: 1000 })
        seen.push(...events.map(({ seq }) => seq))
      }
    }
    const following = follow()
    for (let round = 0; round < 5; round += 1) {
      await repeat(60, async at => await accept(at % 2 === 0 ? one : other, `m${round}-${at}`))
    }
    isDone = true
    await following
    const all = (await listEvents(one)).map(({ seq }) => seq)
    expect(all).toEqual(Array.from({ length: 300 }, (_, at) => at + 1))
    expect(seen).toEqual(all.slice(0, seen.length))
  })
})

test('a report on a message that another node has changed is decided on again', async () => {
  await accept(one, 'm1')
  await next(one, 'p')
  await other.messages.change('a', 'm1', (found, facts) =>
    editMessage(found as Message, { text: 'new' }, start, facts),
  )
  const sent = await one.messages.change('a', 'm1', found =>
    reportSuccess(found as Message, { parts: 1 }, by),
  )
  expect(sent).toMatchObject({ status: 'S', text: 'new' })
  expect(await other.messages.get('a', 'm1')).toEqual(sent)
})

test('a message that another node makes available early is claimed', async () => {
  for (const id of ['m1', 'm2', 'm3']) await accept(one, id)
  for (const id of ['m1', 'm2', 'm3']) expect(await next(one, id)).toBe(id)
  await accept(one, 'm4', { sendAt: start + 5 })
  expect(await next(one, 'q', start + 5)).toBe('m4')
  const found = { ...by, holder: 'm1' }
  await other.messages.change('a', 'm1', (message, facts) =>
    releaseMessage(message as Message, {}, found, facts),
  )
  expect(await next(one, 'r', start + 5)).toBe('m1')
})

test('a claim sees a Do Not Text entry of another node at once', async () => {
  for (const id of ['m1', 'm2']) await accept(one, id, { number: `+${id}` })
  await other.doNotText.add([{ scope: 'a', number: '+m1', at: start }], start, () => ({}))
  expect(await next(one, 'p')).toBe('m2')
  expect((await one.messages.get('a', 'm1'))?.status).toBe('B')
})

test('one impossible message of a group fails, and the others are stored', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, at) => {
      const id = at === 7 ? 'm\0' : `m${formatPlace(at)}`
      const message = messageWith(id, { text: 'a\0b' })
      return await one.messages.change('a', id, (_, facts) => createMessage(message, facts), {
        number: message.number,
      })
    }),
  )
  expect(results.map(({ status }) => status).indexOf('rejected')).toBe(7)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  const stored = await listMessages(other)
  expect(stored).toHaveLength(19)
  expect(stored[0]?.text).toBe('a\0b')
})

test('a batch and a single claim of one token share its leases', async () => {
  const token = { id: 'p', account: 'a', kind: 'app', expiresAt: start + lease } as const
  await one.tokens.put(token)
  for (const id of ['m1', 'm2', 'm3']) await accept(one, id)
  const claim = { account: 'a', holder: 'p', now: start, lease }
  const claimed = await one.messages.claimBatch(
    { ...claim, count: 2, since: 0 },
    (each, facts, at) =>
      claimMessage(each, { ...claim, mode: 'at-least-once', claim: at ?? 0 }, facts),
  )
  expect(claimed?.messages.map(({ id }) => id)).toEqual(['m1', 'm2'])
  expect(await next(other, 'p')).toBe('m2')
})
