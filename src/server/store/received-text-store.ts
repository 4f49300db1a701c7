import type { DoNotTextEntry } from '../../domain/account/account.js'
import type { Message, MessageChange } from '../../domain/message/message.js'
import type { ReceivedText, ReceivedTextDecision } from '../../domain/phone/received-text.js'

/** The Do Not Text lists: one a scope, which is an account or `*` for the whole service. */
export interface DoNotTextStore {
  list(scope: string): Promise<DoNotTextEntry[]>
  /** Those of these numbers that are listed. */
  findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]>
  /** Adds a number, and decides on every waiting message to it that is in nobody's hands. */
  add(entry: DoNotTextEntry, decide: (message: Message) => MessageChange): Promise<DoNotTextEntry>
  /**
   * Adds numbers together, as {@link add} does at `now` (milliseconds since the epoch); resolves to each as it is listed
   * afterwards: one that was there stays as it was.
   */
  addAll(
    entries: readonly DoNotTextEntry[],
    now: number,
    decide: (message: Message) => MessageChange,
  ): Promise<DoNotTextEntry[]>
  /** The removed entry; undefined when the number was not listed. */
  remove(scope: string, number: string): Promise<DoNotTextEntry | undefined>
}

/** A page of an account's received texts, the newest first. */
export interface ReceivedTextQuery {
  readonly account: string
  readonly count: number
  /** Only those before the one with this identifier. */
  readonly before?: string | undefined
}

/** Decides what a received text does; `listed` is the account's entry of its sender. */
export type DecideReceivedText = (listed: DoNotTextEntry | undefined) => ReceivedTextDecision

/** Texts that reached phones. */
export interface ReceivedTextStore {
  get(id: string): Promise<ReceivedText | undefined>
  list(query: ReceivedTextQuery): Promise<ReceivedText[]>
  /**
   * Keeps a text, with what it does to the Do Not Text list and its event; `blocks` decides on messages that wait for a
   * number it lists. A request that was kept before gives what was kept then. Throws `invalid_request` for a key that was
   * used for another text.
   */
  add(
    received: ReceivedText,
    decide: DecideReceivedText,
    blocks: (message: Message) => MessageChange,
  ): Promise<ReceivedText>
  /**
   * Removes texts the service learnt of before `before` (milliseconds since the epoch), the oldest of each account first,
   * until one whose event is yet to be delivered; in slices as `MessageStore.purge`.
   */
  purge(before: number): AsyncGenerator<number>
}
