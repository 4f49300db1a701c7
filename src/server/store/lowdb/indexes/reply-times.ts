import { automaticReplyPeriod } from '../../../../domain/phone/automatic-reply.js'
import type { ReceivedText } from '../../../../domain/phone/received-text.js'

interface Reply {
  readonly sender: string
  readonly id: string
  readonly at: number
}

/**
 * The store's times of the automatic replies of about a day, by account and number. A reply counts
 * although its received text is deleted, or its commit fails.
 */
export class ReplyTimes {
  readonly #bySender = new Map<string, Map<string, number>>()
  readonly #inOrder: Reply[] = []
  #first = 0

  add({ account, number, reply: id, createdAt: at }: ReceivedText): void {
    if (id === undefined || number === undefined) return
    const sender = `${account} ${number}`
    const times = this.#bySender.get(sender) ?? new Map<string, number>()
    this.#bySender.set(sender, times.set(id, at))
    this.#inOrder.push({ sender, id, at })
    this.#deleteBefore(at - automaticReplyPeriod)
  }

  /** Finds in the store's index when automatic replies were sent, milliseconds since the epoch. */
  list({ account, number }: ReceivedText): number[] {
    return [...(this.#bySender.get(`${account} ${number}`)?.values() ?? [])]
  }

  #deleteBefore(before: number): void {
    for (; this.#first < this.#inOrder.length; this.#first += 1) {
      const { sender, id, at } = this.#inOrder[this.#first] as Reply
      if (at > before) break
      const times = this.#bySender.get(sender)
      times?.delete(id)
      if (times?.size === 0) this.#bySender.delete(sender)
    }
    if (this.#first * 2 <= this.#inOrder.length) return
    this.#inOrder.splice(0, this.#first)
    this.#first = 0
  }
}
