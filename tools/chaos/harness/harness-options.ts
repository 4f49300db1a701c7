import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { LoadOptions } from './load.js'

export interface HarnessOptions {
  readonly mode: DeliveryMode
  /** Messages in progress at a time, for each phone. */
  readonly phones: readonly number[]
  readonly load: LoadOptions
  /** Whether texts arrive at a modem of the first phone. @default false */
  readonly incoming?: boolean
  /** Whether the phones send to an SMSC and not by the program. @default false */
  readonly sendsToSmsc?: boolean
  /** Whether the first phone sends by the modem and not by the program. @default false */
  readonly sendsByModem?: boolean
  /** Whether the scenario moves the clock, so that times do not show an order. */
  readonly movesClock: boolean
}
