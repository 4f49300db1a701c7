import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { storeCases } from '../service-nodes.js'
import { draft, type Node, openMessages, rounds, setStatus } from './messages-of-two-nodes.js'

/** What two people do with the same cancelled messages, each at another node. */
const restorers: [string, (node: Node, account: Account, ids: string[]) => Promise<unknown>][] = [
  [
    'Restore',
    async ({ messages }, account, ids) =>
      await Promise.allSettled(ids.map(id => messages.undelete(account, id))),
  ],
  [
    'the bulk action Restore',
    async ({ messageBulk }, account, ids) => await messageBulk.run(account, ids, 'undelete', ''),
  ],
]

for (const [store, open] of storeCases) {
  test.each(restorers)(
    `of %s and Send again on ${store}, one has its effect`,
    async (_, restore) => {
      const { account, nodes, ids } = await openMessages(open, 'D')
      const [first, second] = nodes
      const drafts = ids.map(again => ({ ...draft, again, onlyUnsent: true, key: again }))
      await Promise.all([
        restore(first, account, ids),
        ...drafts.map(each => second.messages.acceptAll(account, [each], 'website')),
      ])
      const copies = await first.messages.findCopies(account, ids)
      for (const id of ids) {
        const { status } = await first.messages.getIncludingDeleted(account, id)
        expect(status).toBe(copies.has(id) ? 'D' : 'N')
      }
    },
  )

  test(`on ${store}, a bulk Send again leaves out a copy that is restored`, async () => {
    const { account, nodes, ids } = await openMessages(open, 'F')
    const [first, second] = nodes
    await first.messageBulk.run(account, ids, 'again', 'first form')
    const copies = [...(await first.messages.findCopies(account, ids)).values()]
    const cancelled = copies.flatMap(({ message }) => message ?? [])
    await Promise.all(cancelled.map(message => setStatus(second, message, 'D')))
    const [again, restored] = await Promise.all([
      first.messageBulk.run(account, ids, 'again', 'second form'),
      second.messageBulk.run(
        account,
        cancelled.map(({ id }) => id),
        'undelete',
        '',
      ),
    ])
    expect(again.done.length + restored.done.length).toBe(rounds)
    expect([again.sentAgain, restored.sentAgain]).toEqual([
      ...[restored.done.length, again.done.length],
    ])
  })
}
