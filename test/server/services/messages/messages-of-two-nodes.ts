import type { Message, Status } from '../../../../src/domain/message/message.js'
import { type OpenStores, openNodes } from '../service-nodes.js'

export type Node = Awaited<ReturnType<typeof openNodes>>['nodes'][0]

export const draft = { destination: '+12025550143', text: 'hello' }

/** How many messages a race has: some of them show an order that one of them would not. */
export const rounds = 25

/** Two nodes, and {@link rounds} messages of an account in this state. */
export async function openMessages(open: OpenStores, status: Status) {
  const { account, nodes } = await openNodes(open)
  const created = await nodes[0].messages.acceptAll(account, Array(rounds).fill(draft), 'api')
  const messages = created.flatMap(({ message }) => message ?? [])
  await Promise.all(messages.map(message => setStatus(nodes[1], message, status)))
  return { account, nodes, messages, ids: messages.map(({ id }) => id) }
}

export async function setStatus({ context }: Node, message: Message, status: Status) {
  const more = {
    ...(status === 'D' && { before: 'N' as const }),
    ...(status === 'E' && { failures: 1, retryAt: message.statusAt + 60_000 }),
  }
  const changed = { ...message, status, ...more }
  await context.store.messages.change(message.account, message.id, () => ({ message: changed }))
}
