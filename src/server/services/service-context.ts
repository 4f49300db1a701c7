// The services are what the ways in (API, dashboard, secret URLs, mail) can do, one verb a method.
// Each verb does the same three steps:
//   1. load what the decision needs from the store,
//   2. decide with a pure function of src/domain,
//   3. commit the decision in the store, which resolves when it is durable.
// accounts/  accounts, tokens and the throttle against guessing
// contacts/  contacts, groups and templates
// messages/  messages and what creates them: secret URLs, mailboxes; the Do Not Text list
// sign-in/   passkeys, sign-ins without their second factor, sessions, entered passwords
// phones/    NEXT, reports, received texts, known phones
// webhooks/  subscriptions, the next delivery of each, the event stream
// Errors are RelayErrors with a code of the interface; a service knows nothing of HTTP.

import type { ProblemList } from '../../domain/account/problem-list.js'
import type { Clock } from '../../util/async/clock.js'
import type { Metrics } from '../../util/collections/metrics.js'
import type { PasswordCost } from '../../util/crypto/password-hash.js'
import type { Store } from '../store/store.js'

export interface ServiceContext {
  readonly store: Store
  readonly clock: Clock
  readonly metrics: Metrics
  /** For all services: the problems that an operator must look at. */
  readonly problems: ProblemList
  /** For all services: creates an identifier that sorts after all earlier ones. */
  readonly newId: () => string
  /** For all services: milliseconds for which final messages are stored. @default Infinity */
  readonly retain?: number | undefined
  /** For all services: cost of checking a new password. @default defaultPasswordCost */
  readonly passwordCost?: PasswordCost | undefined
}

/** Called by a service before it does something outside of the store; makes it known. */
export type Announce<T> = (subject: T) => Promise<void>
