import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Status } from '../../../../src/domain/message/message.js'
import { storeCases } from '../service-nodes.js'
import { draft, type Node, openMessages } from './messages-of-two-nodes.js'

type Act = (node: Node, account: Account, id: string) => Promise<unknown>

const cancel: Act = async ({ messages }, account, id) => await messages.remove(account, id)
const retry: Act = async ({ messages }, account, id) => await messages.retry(account, id)
const lock: Act = async ({ messages }, account, id) => await messages.lock(account, id)
const restore: Act = async ({ messages }, account, id) => await messages.undelete(account, id)
const edit: Act = async ({ messages }, account, id) =>
  await messages.edit(account, id, { text: 'changed' }, ({ text }) => {
    if (text !== draft.text) throw new Error('It has another text.')
  })
const bulkCancel: Act = async ({ messageBulk }, account, id) =>
  await messageBulk.run(account, [id], 'cancel', '')

interface Pair {
  readonly from: Status
  readonly acts: readonly [Act, Act]
  /** State of each message afterwards. */
  readonly to: Status
  /** How many of the two acts may succeed. */
  readonly succeed: readonly number[]
}

const pairs: Readonly<Record<string, Pair>> = {
  'Retry now and Cancel': { from: 'E', acts: [retry, cancel], to: 'D', succeed: [1, 2] },
  'Lock and the bulk action Cancel': {
    ...{ from: 'N', acts: [lock, bulkCancel], to: 'D', succeed: [1, 2] },
  },
  'Restore and Restore': { from: 'D', acts: [restore, restore], to: 'N', succeed: [1] },
  'Edit and Edit of one version': { from: 'N', acts: [edit, edit], to: 'N', succeed: [1] },
  'Edit and Cancel': { from: 'N', acts: [edit, cancel], to: 'D', succeed: [1, 2] },
}

for (const [store, open] of storeCases) {
  test.each(Object.entries(pairs))(`%s at once on ${store}`, async (_, pair) => {
    const { account, nodes, messages } = await openMessages(open, pair.from)
    const [first] = nodes
    const results = await Promise.all(
      messages.map(({ id }) =>
        Promise.allSettled(pair.acts.map((act, at) => act(nodes[at] ?? first, account, id))),
      ),
    )
    for (const [at, { id }] of messages.entries()) {
      const succeeded = results[at]?.filter(({ status }) => status === 'fulfilled').length
      expect(pair.succeed).toContain(succeeded)
      expect((await first.messages.getIncludingDeleted(account, id)).status).toBe(pair.to)
    }
  })
}
