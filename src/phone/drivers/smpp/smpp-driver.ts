// The driver `smpp`: an account at an SMSC (SMPP 3.3, 3.4 or 5.0).
//
// 1. settings/ checks the options.
// 2. smpp-account.ts submits the parts of a text. send-window.ts limits how many have no response
//    yet; circuit-breaker.ts stops them when the SMSC is silent.
// 3. text/ builds submit_sm from texts (submit-sm.ts) and reads received ones (deliver-sm.ts).
// 4. session/ connects and binds when needed, and again after the connection was lost
//    (smpp-bind.ts), pairs requests and responses, and answers requests (smpp-session.ts).
// 5. pdu/ encodes and decodes.
// 6. smpp-inbox.ts passes on received texts and receipts.

import { setMaxListeners } from 'node:events'
import { errorText } from '../../../errors.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
  type DriverWatch,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import { parseSmppSettings, type SmppSettings } from './settings/smpp-settings.js'
import { SmppAccount } from './smpp-account.js'

type SmppContext = Pick<DriverContext, 'clock' | 'random'>

export function createSmppDriver(
  options: DriverOptions,
  context: SmppContext & Pick<DriverContext, 'env'>,
): Driver {
  return new SmppDriver(parseSmppSettings(options, context.env), context)
}

class SmppDriver implements Driver {
  readonly name = 'smpp'
  readonly concurrency: number
  readonly watches: readonly DriverWatch[]
  readonly #settings: SmppSettings
  readonly #context: SmppContext
  #listener: DriverListener | undefined
  #signal: AbortSignal | undefined
  #account: SmppAccount | undefined

  constructor(settings: SmppSettings, context: SmppContext) {
    this.#settings = settings
    this.concurrency = settings.window
    this.#context = context
    const bind: DriverWatch = {
      name: 'the bind',
      isRequiredToSend: true,
      run: async (onWorking, signal) => await this.#getAccount().stayBound(onWorking, signal),
    }
    const receiver: DriverWatch = {
      name: 'the receiver',
      isRequiredToSend: false,
      run: async (onWorking, signal) =>
        await this.#getAccount().stayBoundToReceive(onWorking, signal),
    }
    this.watches = settings.bind === 'separate' ? [bind, receiver] : [bind]
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    if (signal !== this.#signal) {
      // All texts in progress may share one signal.
      setMaxListeners(0, signal)
      this.#signal = signal
    }
    return await this.#getAccount().send(message, signal)
  }

  async health(): Promise<DriverHealth> {
    try {
      return { ok: true, detail: await this.#getAccount().check() }
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#account?.close()
  }

  #getAccount(): SmppAccount {
    const { clock, random } = this.#context
    this.#account ??= new SmppAccount(this.#settings, { clock, random, listener: this.#listener })
    return this.#account
  }
}
