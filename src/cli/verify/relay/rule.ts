import type { RelayUnderTest } from './relay-under-test.js'

export interface Rule {
  /** Section of docs/reference/interface.md, for example `4.2`. */
  readonly section: string
  readonly title: string
  /** Whether hours must pass; then it is checked only on a relay whose clock can be moved. */
  readonly needsClock?: boolean
  readonly check: (relay: RelayUnderTest) => Promise<void>
}
