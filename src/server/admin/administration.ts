import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import type {
  DoNotTextFields,
  DoNotTextImportReply,
  ImportedEntry,
} from '../../contract/do-not-text-schema.js'
import type { DeliveryMode } from '../../domain/message/report.js'
import type { KeyKind } from '../services/accounts/account-service.js'

export type { KeyKind } from '../services/accounts/account-service.js'

/** What a new account is made of; whatever is left out is chosen. */
export interface AccountDraft {
  readonly email: string
  /** @default a random one */
  readonly password?: string
  /** ISO 3166 code of the country in which national numbers are read. @default 'US' */
  readonly country?: string
  /** @default 'at-least-once' */
  readonly mode?: DeliveryMode
}

/** Replaced keys in the clear; those left alone are absent. */
export interface RotatedKeys {
  readonly email: string
  readonly secret_key?: string
  readonly api_key?: string
  readonly app_key?: string
  readonly hook_secret?: string
}

/**
 * Administration of a data directory, by someone who may read that directory. Accounts are named by e-mail
 * address; every verb throws RelayError (`not_an_account`, `invalid_parameter`).
 */
export interface Administration {
  createAccount(draft: AccountDraft): Promise<NewAccount>
  listAccounts(): Promise<AccountFields[]>
  showAccount(email: string): Promise<AccountFields>
  changeAccount(
    email: string,
    changes: { email?: string; country?: string; mode?: DeliveryMode; owner?: boolean },
  ): Promise<AccountFields>
  /** Replaces keys; tokens issued from them end, and a replaced hook secret signs too for a day. */
  rotateKeys(email: string, which: KeyKind): Promise<RotatedKeys>
  /** Sets a password, or a random one; login tokens end. */
  setPassword(email: string, password?: string): Promise<{ email: string; password: string }>
  /** Removes an account with everything it owns. */
  deleteAccount(email: string): Promise<{ email: string }>
  /** The Do Not Text list of the whole service. */
  listBlocked(): Promise<DoNotTextFields[]>
  addBlocked(number: string, options?: { note?: string | undefined }): Promise<DoNotTextFields>
  /** Lists many numbers at once; nothing where one is invalid, unless told otherwise. */
  importBlocked(
    entries: readonly ImportedEntry[],
    options?: { dryRun?: boolean; skipInvalid?: boolean },
  ): Promise<DoNotTextImportReply>
  removeBlocked(number: string): Promise<DoNotTextFields>
  /** Lets go of the data directory. */
  close(): Promise<void>
}
