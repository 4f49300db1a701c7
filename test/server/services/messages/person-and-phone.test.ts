import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { ClaimService } from '../../../../src/server/services/phones/claim-service.js'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import { storeCases } from '../service-nodes.js'
import { lease } from '../world.js'
import { type Node, openMessages } from './messages-of-two-nodes.js'

type Act = (node: Node, account: Account, id: string) => Promise<unknown>

const acts: [string, 'D' | 'L', Act][] = [
  ['cancels', 'D', async ({ messages }, account, id) => await messages.remove(account, id)],
  ['locks', 'L', async ({ messages }, account, id) => await messages.lock(account, id)],
]

/** Takes every message with another phone. Resolves to the ids when no message is left. */
async function takeAll({ context }: Node, account: Account): Promise<string[]> {
  const claims = new ClaimService(context, lease, new PhoneService(context))
  const taken: string[] = []
  for (;;) {
    const message = await claims.next(account, `phone ${taken.length}`)
    if (message === undefined) return taken
    taken.push(message.id)
  }
}

for (const [store, open] of storeCases) {
  test.each(acts)(
    `on ${store}, phones take messages while a person %s them`,
    async (_, to, act) => {
      const { account, nodes, ids } = await openMessages(open, 'N')
      const [first, second] = nodes
      const stopAll = async () => {
        // The phones begin with the first ones.
        for (const id of ids.toReversed()) await act(first, account, id)
      }
      const [taken] = await Promise.all([takeAll(second, account), stopAll()])
      expect(new Set(taken).size).toBe(taken.length)
      const after = await Promise.all(
        ids.map(async id => await first.messages.getIncludingDeleted(account, id)),
      )
      expect(after.map(({ status }) => status)).toEqual(ids.map(() => to))
      const leased = after.filter(message => message.lease !== undefined).map(({ id }) => id)
      expect(leased.sort()).toEqual(taken.sort())
    },
  )
}
