import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { openLowdbStore } from '../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { startWithBrowsers } from '../dashboard-relay.js'

type Failure = 'before' | 'after' | undefined

/** A relay whose store fails before or after it has stored new messages. */
async function start() {
  let failure: Failure
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure === 'before') throw new RelayError('unavailable', 'The disk is full.')
    const result = await work()
    if (failure === 'after') throw new RelayError('unavailable', 'The disk is full.')
    return result
  }
  const wrap = (store: Store): Store => {
    const { messages } = store
    const changeAll = messages.changeAll.bind(messages)
    messages.changeAll = async changes => await run(async () => await changeAll(changes))
    return store
  }
  const openStore = async (directory: string) => wrap(await openLowdbStore(directory))
  const relay = await startWithBrowsers({}, { openStore })
  const fail = (next: Failure) => {
    failure = next
  }
  return { ...relay, fail }
}

test.each(['before', 'after'] as const)(
  'a form whose store fails %s the message is stored can be sent again, and sends once',
  async when => {
    const { browser, client, fail } = await start()
    const form = {
      key: randomUUID(),
      destination: '+12025550123',
      message: 'Not lost',
      zone: 'UTC',
    }
    fail(when)
    const failed = await browser.submit('/send', form)
    expect([failed.status, failed.text.includes('The disk is full.')]).toEqual([503, true])
    expect(failed.text).toContain('reload this page to send it again')
    fail(undefined)
    const sent = await Promise.all([browser.submit('/send', form), browser.submit('/send', form)])
    expect(sent.map(({ notice }) => notice?.kind)).toContain('done')
    expect(await client.messages.list({ filter: 'all' })).toMatchObject([{ message: 'Not lost' }])
  },
)
