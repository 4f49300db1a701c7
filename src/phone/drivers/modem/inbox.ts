import type { IncomingText } from '../../driver.js'
import { decodeIncoming, type IncomingPart, type StatusReport } from './incoming-pdu.js'

interface Gathered {
  readonly parts: Map<number, IncomingPart>
  readonly count: number
}

/** Texts of which parts are missing may be so many; the oldest are given up. */
const most = 50

/** Puts the parts of incoming texts together, in whatever order they come. */
export class Inbox {
  readonly #gathered = new Map<string, Gathered>()

  /** Reads a PDU: a report, a whole text, or undefined while parts are missing. Throws what is wrong with it. */
  take(hex: string): StatusReport | ({ readonly kind: 'text' } & IncomingText) | undefined {
    const found = decodeIncoming(hex)
    if (found.kind === 'report') return found
    const { from, text, at, part } = found
    return part === undefined ? { kind: 'text', from, text, at } : this.#gather(found, part)
  }

  #gather(
    found: IncomingPart,
    { reference, count, number }: NonNullable<IncomingPart['part']>,
  ): ({ readonly kind: 'text' } & IncomingText) | undefined {
    const key = JSON.stringify([found.from, reference, count])
    const gathered = this.#gathered.get(key) ?? { parts: new Map(), count }
    gathered.parts.set(number, found)
    this.#gathered.set(key, gathered)
    if (gathered.parts.size < count) {
      this.#forgetOldest()
      return undefined
    }
    this.#gathered.delete(key)
    const inOrder = [...gathered.parts].sort(([one], [other]) => one - other)
    const text = inOrder.map(([, each]) => each.text).join('')
    return { kind: 'text', from: found.from, text, at: found.at }
  }

  #forgetOldest(): void {
    const [oldest] = this.#gathered.keys()
    if (this.#gathered.size > most && oldest !== undefined) this.#gathered.delete(oldest)
  }
}
