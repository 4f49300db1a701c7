import type { BlockEntry } from '../../domain/account/account.js'
import type { Change, Message } from '../../domain/message/message.js'
import type { Received, Reception } from '../../domain/phone/received-text.js'

/** The Do Not Text lists: one a scope, which is an account or `*` for the whole service. */
export interface BlocklistStore {
  list(scope: string): Promise<BlockEntry[]>
  /** Those of these numbers that are listed. */
  listed(scope: string, numbers: readonly string[]): Promise<BlockEntry[]>
  /** Adds a number, and decides on every waiting message to it that is in nobody's hands. */
  add(entry: BlockEntry, decide: (message: Message) => Change): Promise<BlockEntry>
  /**
   * Adds numbers together, as {@link add} does at `now` (milliseconds since the epoch); resolves to each as it is listed
   * afterwards: one that was there stays as it was.
   */
  addAll(
    entries: readonly BlockEntry[],
    now: number,
    decide: (message: Message) => Change,
  ): Promise<BlockEntry[]>
  /** The removed entry; undefined when the number was not listed. */
  remove(scope: string, number: string): Promise<BlockEntry | undefined>
}

/** A page of an account's received texts, the newest first. */
export interface ReceivedQuery {
  readonly account: string
  readonly count: number
  /** Only those before the one with this identifier. */
  readonly before?: string | undefined
}

/** Decides what a received text does; `listed` is the account's entry of its sender. */
export type DecideReceived = (listed: BlockEntry | undefined) => Reception

/** Texts that reached phones. */
export interface ReceivedStore {
  get(id: string): Promise<Received | undefined>
  list(query: ReceivedQuery): Promise<Received[]>
  /**
   * Keeps a text, with what it does to the Do Not Text list and its event; `blocks` decides on messages that wait for a
   * number it lists. A request that was kept before gives what was kept then. Throws `invalid_request` for a key that was
   * used for another text.
   */
  add(
    received: Received,
    decide: DecideReceived,
    blocks: (message: Message) => Change,
  ): Promise<Received>
  /**
   * Removes texts the service learnt of before `before` (milliseconds since the epoch), the oldest of each account first,
   * until one whose event is yet to be delivered; in slices as `MessageStore.purge`.
   */
  purge(before: number): AsyncGenerator<number>
}
