import type { ReceivedSelection } from '../../domain/phone/received-mms.js'
import type {
  ReceivedText,
  ReceivedTextDecision,
  ReceivedTextFacts,
} from '../../domain/phone/received-text.js'
import type { DecideWaiting } from './do-not-text-store.js'

/** A page of an account's received texts to read from the store, the newest first. */
export interface ReceivedTextQuery {
  readonly account: string
  readonly count: number
  /** Only the store's received texts before the one with this identifier. */
  readonly before?: string | undefined
  /** Canonical number of the sender. @default any */
  readonly number?: string | undefined
  /** @default all */
  readonly selection?: ReceivedSelection | undefined
}

/** Decides the effect of a received text in the store's transaction. */
export type DecideReceivedText = (facts: Omit<ReceivedTextFacts, 'replyId'>) => ReceivedTextDecision

export interface ReceivedTextStore {
  get(id: string): Promise<ReceivedText | undefined>
  list(query: ReceivedTextQuery): Promise<ReceivedText[]>
  /**
   * Stores a received text with its event, its effect on the Do Not Text list and its reply. A
   * repeated request gets the text stored first; throws `invalid_request` if its key was used for
   * another text. A store may decide on some waiting messages in the same commit.
   */
  add(
    received: ReceivedText,
    decide: DecideReceivedText,
    decideWaiting: DecideWaiting,
  ): Promise<ReceivedText>
  /**
   * Deletes received texts that were stored before `before`, in milliseconds since the epoch: the
   * oldest of each account, up to one with an undelivered event. Works in batches like
   * `MessageStore.purge`.
   */
  purge(before: number): AsyncGenerator<number>
}
