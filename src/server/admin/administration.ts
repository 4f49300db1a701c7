// Administration manages the accounts, their people and the relay's Do Not Text list of a data
// directory. There are two implementations of the interface below:
// - local-administration: in the process that holds the data directory; people-administration has
//   its part for limits and people
// - socket-administration: through the socket of that process, for all other processes on this
//   machine that can read the directory
// `openAdministration` in src/server/open-relay.ts picks one.

import type {
  AccountLimitFields,
  AccountLimitsEdit,
} from '../../contract/account/account-limit-schema.js'
import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import type {
  DoNotTextFields,
  DoNotTextImportReply,
  ImportedEntry,
} from '../../contract/do-not-text-schema.js'
import type { DeliveryMode } from '../../domain/account/account.js'
import type { InvitationFields, PersonFields } from '../../resources/person.js'
import type { KeyKind } from '../services/accounts/new-keys.js'

export type { KeyKind } from '../services/accounts/new-keys.js'

export interface AccountDraft {
  readonly email: string
  readonly password?: string
  readonly country?: string
  readonly mode?: DeliveryMode
}

export interface RotatedKeys {
  readonly email: string
  readonly secret_key?: string
  readonly api_key?: string
  readonly app_key?: string
  readonly hook_secret?: string
}

export interface AccountLimitUse extends AccountLimitFields {
  readonly email: string
}

export interface PersonOfAccount extends PersonFields {
  readonly account: string
}

export interface InvitationDraft {
  readonly account: string
  readonly email: string
  readonly role: string
  /** Address of the dashboard for the link of administration. @default that of the relay */
  readonly url?: string
}

/** Administration: an invitation with its link, which is shown once. */
export interface InvitationToAccount extends Required<InvitationFields> {
  readonly account: string
}

/**
 * Administration of a data directory, by a person who can read the directory. Accounts are named by
 * e-mail address. All methods throw RelayError (`not_an_account`, `invalid_parameter`).
 */
export interface Administration {
  createAccount(draft: AccountDraft): Promise<NewAccount>
  /**
   * Administration creates the owner's account if there is no account, and otherwise nothing. Of
   * several at the same time, also on several nodes, one creates it.
   */
  createFirstAccount(draft: AccountDraft): Promise<NewAccount | undefined>
  listAccounts(): Promise<AccountFields[]>
  showAccount(email: string): Promise<AccountFields>
  changeAccount(
    email: string,
    changes: {
      email?: string
      country?: string
      mode?: DeliveryMode
      owner?: boolean
      /** Time zone of the pages that administration sets; an empty one is that of each browser. */
      timeZone?: string
      /** What administration sets as the reply to HELP and INFO; an empty text switches it off. */
      helpText?: string
      /** What administration sets as the confirmation of STOP; an empty text switches it off. */
      stopText?: string
      /**
       * Where administration has paused subscriptions reported; an empty address switches it off.
       */
      alerts?: string
      /** Whether texts use letters of the GSM alphabet for typographic characters. */
      fewerParts?: boolean
      /** Where administration has received texts sent; an empty address switches it off. */
      receivedMail?: string
    },
  ): Promise<AccountFields>
  /**
   * Administration replaces keys of an account. Their tokens end; a replaced signing secret still
   * signs for a day.
   */
  rotateKeys(email: string, which: KeyKind): Promise<RotatedKeys>
  /** Administration sets an account's password, by default a random one, and ends all logins. */
  setPassword(email: string, password?: string): Promise<{ email: string; password: string }>
  /** Administration turns the second factor of a person off, and ends all their logins. */
  resetSecondFactor(email: string): Promise<{ email: string }>
  deleteAccount(email: string): Promise<{ email: string }>
  showLimits(email: string): Promise<AccountLimitUse>
  /** Administration changes limits of an account; null removes one. */
  changeLimits(email: string, changes: AccountLimitsEdit): Promise<AccountLimitUse>
  listPeople(account?: string): Promise<PersonOfAccount[]>
  invitePerson(draft: InvitationDraft): Promise<InvitationToAccount>
  setRole(email: string, role: string): Promise<PersonOfAccount>
  /** Administration removes a person, and ends their sessions and tokens. */
  removePerson(email: string): Promise<{ email: string }>
  listDoNotText(): Promise<DoNotTextFields[]>
  addDoNotText(number: string, options?: { note?: string | undefined }): Promise<DoNotTextFields>
  /** Adds many Do Not Text numbers; if one is invalid, adds nothing unless `skipInvalid` is set. */
  importDoNotText(
    entries: readonly ImportedEntry[],
    options?: { dryRun?: boolean; skipInvalid?: boolean },
  ): Promise<DoNotTextImportReply>
  removeDoNotText(number: string): Promise<DoNotTextFields>
  /**
   * Ends the administration: releases the data directory, or closes the socket to the relay that
   * holds it.
   */
  close(): Promise<void>
}
