import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Message, Status } from '../../../../src/domain/message/message.js'
import { openNodes, storeCases } from '../service-nodes.js'

type Node = Awaited<ReturnType<typeof openNodes>>['nodes'][0]
type Act = (node: Node, account: Account, id: string) => Promise<unknown>

const rounds = 25
const draft = { destination: '+12025550143', text: 'hello' }

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

async function setStatus({ context }: Node, message: Message, status: Status): Promise<void> {
  const { statusAt } = message
  const more = {
    ...(status === 'D' && { before: 'N' as const }),
    ...(status === 'E' && { failures: 1, retryAt: statusAt + 60_000 }),
  }
  const changed = { ...message, status, ...more }
  await context.store.messages.change(message.account, message.id, () => ({ message: changed }))
}

for (const [store, open] of storeCases) {
  test.each(Object.entries(pairs))(`%s at once on ${store}`, async (_, pair) => {
    const { account, nodes } = await openNodes(open)
    const [first, second] = nodes
    const created = await first.messages.acceptAll(account, Array(rounds).fill(draft), 'api')
    const messages = created.flatMap(({ message }) => message ?? [])
    await Promise.all(messages.map(message => setStatus(second, message, pair.from)))
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
