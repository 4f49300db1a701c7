import type { FailureCount } from '../../domain/account/failure-count.js'
import type { RecentUses } from '../../domain/account/usage-limit.js'

/** Mails of the store's account about paused subscriptions. */
export interface AlertMailState {
  /** When the next mail can be sent, in milliseconds since the epoch. */
  readonly nextAt: number
  /** Milliseconds before the next attempt after a failure. */
  readonly delay?: number
  /** Why the store's last mail was not sent. */
  readonly error?: string
}

/** A sign-in in the store that waits for the second factor. */
export interface PendingSignInState {
  /** Identifier of the account or person. */
  readonly signer: string
  /** Hash of the stored password's hash: the sign-in ends when the password is changed. */
  readonly password: string
  /** When it ends, in milliseconds since the epoch. */
  readonly until: number
}

/** Messages that an account in the store created lately, for its limits an hour and a day. */
export interface MessageUses {
  readonly hour: RecentUses
  readonly day: RecentUses
}

/** What the store counts for limits or keeps for a short time, by kind of record. */
export interface LimitStates {
  /** Failed sign-in attempts to an account from an address. */
  readonly 'sign-in pair': FailureCount
  /** Failed sign-in attempts from an address. */
  readonly 'sign-in address': FailureCount
  /** Failed sign-in attempts to an account. */
  readonly 'sign-in name': FailureCount
  /** Time of a sign-in to an account from an address, in milliseconds since the epoch. */
  readonly 'signed in': number
  /** Wrong codes of a second factor, of somebody whose password was right. */
  readonly code: FailureCount
  /** A sign-in that waits for the second factor, by the hash of its secret. */
  readonly 'pending sign-in': PendingSignInState
  /** A challenge to which a passkey has replied, and when it ends. */
  readonly 'passkey challenge': number
  /** Wrong secret URLs from an address. */
  readonly 'secret URL address': FailureCount
  /** Wrong secret URLs from all addresses since `start`, in milliseconds since the epoch. */
  readonly 'secret URL minute': { readonly start: number; readonly failures: number }
  /** Unknown recipients of mail from an address. */
  readonly 'mail recipient': FailureCount
  /** Messages from mail to a mailbox. */
  readonly mailbox: RecentUses
  /** Messages that an account with limits created. */
  readonly 'account messages': MessageUses
  /** Invitations of an account, of an account to an address, and mails of all to an address. */
  readonly invitation: RecentUses
  /** Changes of the e-mail addresses with which people of an account sign in. */
  readonly 'email change': RecentUses
  /** Automatic replies of an account. */
  readonly 'automatic reply': RecentUses
  readonly 'alert mail': AlertMailState
  readonly 'received mail': AlertMailState
  /** Until when a session counts as one that has just entered the password. */
  readonly 'confirmed password': number
}

export type LimitKind = keyof LimitStates

/** The states of a record of the store before and after a change; undefined: no record. */
export interface LimitChange<K extends LimitKind> {
  readonly before: LimitStates[K] | undefined
  readonly after: LimitStates[K] | undefined
}

/**
 * Store of what limits count and of what is kept for a short time: all nodes of a store share it. A
 * store may delete the oldest records of a kind when it has many, and all when it is opened.
 */
export interface LimitStore {
  get<K extends LimitKind>(kind: K, key: string): Promise<LimitStates[K] | undefined>
  /**
   * Creates, replaces or (`null`) removes a record of the store; nothing changes if `decide` throws
   * or returns the same state.
   * @param until when the store may delete the record, in milliseconds since the epoch
   */
  change<K extends LimitKind>(
    kind: K,
    key: string,
    until: number,
    decide: (state: LimitStates[K] | undefined) => LimitStates[K] | null,
  ): Promise<LimitChange<K>>
}
