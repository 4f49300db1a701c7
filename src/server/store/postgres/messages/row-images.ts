import type { Message } from '../../../../domain/message/message.js'
import { LruMap } from '../../../../util/collections/lru-map.js'

export interface RowImage {
  readonly message: Message
  readonly version: number
}

const maxImages = 5000

/**
 * The messages that phones of this node lease: the report on one needs no read. Only a decision
 * that is written, with a check of the version, may be based on them.
 */
export class RowImages {
  readonly #images = new LruMap<string, RowImage>(maxImages, () => 1)

  get(account: string, id: string): RowImage | undefined {
    const image = this.#images.get(id)
    return image?.message.account === account ? image : undefined
  }

  put(id: string, message: Message | null, version: number): void {
    if (message?.lease === undefined) this.#images.delete(id)
    else this.#images.set(id, { message, version })
  }

  forget(id: string): void {
    this.#images.delete(id)
  }
}
