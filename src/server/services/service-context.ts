import type { PasswordCost } from '../../util/crypto/password-hash.js'
import type { Store } from '../store/store.js'

/** What every service works with. */
export interface ServiceContext {
  readonly store: Store
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A new identifier, later ones sorting after earlier ones. */
  readonly newId: () => string
  /** What it takes to try a password that is set from now on. @default passwordCost */
  readonly passwordCost?: PasswordCost | undefined
}
