import { expect, test } from 'vitest'
import {
  decideReceivedText,
  type ReceivedText,
} from '../../../../../src/domain/phone/received-text.js'
import { RelayError } from '../../../../../src/errors.js'
import { accountWith, draftWith, start } from '../../rig.js'
import { openMigratedDatabase, runSql } from '../test-postgres.js'
import { openRecords } from './records-rig.js'

const number = '+12025550143'

/** Two nodes on one database. */
async function openNodes() {
  const url = await openMigratedDatabase()
  return { url, nodes: [openRecords(url), openRecords(url)].map(({ stores }) => stores) }
}

/** Runs work so often on each node at the same time. */
async function runOnAll<N, T>(
  nodes: readonly N[],
  count: number,
  work: (node: N, at: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const runs = nodes.flatMap((node, n) =>
    Array.from({ length: count }, async (_, at) => await work(node, n * count + at)),
  )
  return await Promise.allSettled(runs)
}

function countFulfilled(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('changes of one record on two nodes at once are all kept', async () => {
  const { nodes } = await openNodes()
  const secretUrl = { id: 'u', account: 'a', hash: 'h', createdAt: start }
  const results = await runOnAll(nodes, 15, async ({ secretUrls }) =>
    secretUrls.change('u', (found = secretUrl) => ({
      ...found,
      uses: { count: (found.uses?.count ?? 0) + 1, lastAt: start, recent: [] },
    })),
  )
  expect(countFulfilled(results)).toBe(30)
  expect((await nodes[0]?.secretUrls.get('u'))?.uses?.count).toBe(30)
})

test('an email address has one account, and the first account is one, on any node', async () => {
  const { nodes } = await openNodes()
  const first = await runOnAll(nodes, 5, async ({ accounts }, at) =>
    accounts.createFirst(accountWith(`f${at}`)),
  )
  expect(first.filter(each => each.status === 'fulfilled' && each.value)).toHaveLength(1)
  const email = 'ada@example.com'
  const created = await runOnAll(nodes, 5, async ({ accounts }, at) =>
    accounts.create(accountWith(`a${at}`, { email })),
  )
  expect(countFulfilled(created)).toBe(1)
  const { reason } = created.find(each => each.status === 'rejected') ?? {}
  expect(reason).toMatchObject({ code: 'invalid_parameter' })
})

test('the limit of subscriptions holds for all nodes together', async () => {
  const { nodes } = await openNodes()
  const check = (count: number): void => {
    if (count >= 7) throw new RelayError('invalid_state', 'no')
  }
  const results = await runOnAll(nodes, 10, async ({ subscriptions }, at) =>
    subscriptions.create(draftWith(`s${at}`), check),
  )
  expect(countFulfilled(results)).toBe(7)
  expect(await nodes[1]?.subscriptions.list('a')).toHaveLength(7)
})

test('a text reported to two nodes at once is stored once', async () => {
  const { url, nodes } = await openNodes()
  const results = await runOnAll(nodes, 10, async ({ receivedTexts }, at) => {
    const received = textWith(`r${at}`, { once: { key: 'k', digest: 'd' } })
    return await receivedTexts.add(received, facts =>
      decideReceivedText(received, { ...facts, replyId: 'x' }, {}),
    )
  })
  const ids = results.map(each => (each.status === 'fulfilled' ? each.value.id : each.reason))
  expect(new Set(ids).size).toBe(1)
  expect(await runSql(url, 'select seq from event')).toEqual([{ seq: '1' }])
})

test('a number gets no more automatic replies from several nodes than from one', async () => {
  const { url, nodes } = await openNodes()
  const results = await runOnAll(nodes, 10, async ({ receivedTexts }, at) => {
    const received = textWith(`r${at}`, { text: 'HELP', word: 'help' })
    const helpText = 'Call 555 0100.'
    return await receivedTexts.add(received, facts =>
      decideReceivedText(received, { ...facts, replyId: `m${at}` }, { helpText }),
    )
  })
  expect(countFulfilled(results)).toBe(20)
  expect(await runSql(url, 'select id from message')).toHaveLength(3)
  expect(await runSql(url, 'select name, count from message_count')).toEqual([
    { name: 'created', count: '3' },
  ])
  const groups = 'select span, name, count from message_group_count order by span'
  expect(await runSql(url, groups)).toEqual([
    { span: 1, name: 'N  api +1 ', count: '3' },
    { span: 96, name: 'N  api +1 ', count: '3' },
  ])
  const events = await runSql<{ seq: string }>(url, 'select seq from event order by seq')
  expect(events.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 23 }, (_, n) => n + 1))
})

test('a worker without the lease of its account changes no subscription', async () => {
  const { url, nodes } = await openNodes()
  const [stores] = nodes
  await stores?.subscriptions.create(draftWith('s1'))
  await runSql(
    url,
    `insert into subscription_bucket (bucket, epoch) select n, 5 from generate_series(0, 255) n
      on conflict (bucket) do update set epoch = 5`,
  )
  const change = async (epoch: number) =>
    await stores?.subscriptions.change('s1', found => ({ ...found, triggered: 9 }), {
      lease: { epoch, canStart: () => true, track: work => work },
    })
  expect(await change(4)).toBeUndefined()
  expect((await stores?.subscriptions.get('s1'))?.triggered).toBe(0)
  expect((await change(5))?.triggered).toBe(9)
})

test('a token that another node revokes ends within a second, also without a hint', async () => {
  const url = await openMigratedDatabase()
  const time = { monotonic: 0 }
  const clock = { now: () => start, monotonic: () => time.monotonic }
  const [here, there] = [openRecords(url, { clock }).stores, openRecords(url, { clock }).stores]
  await here.accounts.create(accountWith('a'))
  await here.tokens.put({ id: 't', account: 'a', kind: 'app', expiresAt: start })
  expect(await there.tokens.get('t')).toMatchObject({ kind: 'app' })
  expect(await there.accounts.get('a')).toMatchObject({ country: 'US' })
  await here.tokens.remove({ id: 't' })
  await here.accounts.change('a', found => ({ ...found, country: 'DE' }))
  expect(await here.tokens.get('t')).toBeUndefined()
  time.monotonic = 1000
  expect(await there.tokens.get('t')).toBeUndefined()
  expect(await there.accounts.get('a')).toMatchObject({ country: 'DE' })
})

test('text that no column can hold finds nothing', async () => {
  const { nodes } = await openNodes()
  const [stores] = nodes
  expect(await stores?.accounts.findByEmail('\0')).toBeUndefined()
  expect(await stores?.subscriptions.get('\0')).toBeUndefined()
  expect(await stores?.doNotText.findListed('a', ['\0'])).toEqual([])
})

function textWith(id: string, changes: Partial<ReceivedText>): ReceivedText {
  return {
    ...{ id, account: 'a', from: number, number, text: 'hello' },
    ...{ receivedAt: start, createdAt: start, ...changes },
  }
}
