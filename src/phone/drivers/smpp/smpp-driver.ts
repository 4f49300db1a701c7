// The driver `smpp`: an account at an SMSC (SMPP 3.4).
//
// 1. smpp-account.ts submits the parts of a text (submit-sm.ts), at most `window` at a time.
// 2. smpp-bind.ts connects (smpp-connect.ts) and binds as a transceiver when needed, and again
//    after the connection was lost.
// 3. smpp-session.ts pairs requests and responses and answers requests of the SMSC.
// 4. smpp-inbox.ts passes on received texts and receipts (deliver-sm.ts).
// 5. smpp-error.ts and smpp-status.ts give failures and status codes their meaning.
//
// The package `smpp` encodes and decodes the PDUs; it is loaded with the first text.

import { errorText } from '../../../errors.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import type { SmppAccount } from './smpp-account.js'
import { parseSmppSettings, type SmppSettings } from './smpp-settings.js'

type SmppContext = Pick<DriverContext, 'clock' | 'random'>

export const smppOptions = [
  ...['host', 'port', 'tls', 'insecure', 'system-id', 'password', 'system-type'],
  ...['source', 'source-ton', 'source-npi', 'window', 'enquire', 'timeout', 'long', 'reports'],
] as const

/** Creates the driver `smpp` (docs/reference/drivers.md). Throws `usage`. */
export function createSmppDriver(
  options: DriverOptions,
  context: SmppContext & Pick<DriverContext, 'env'>,
): Driver {
  return new SmppDriver(parseSmppSettings(options, context.env), context)
}

class SmppDriver implements Driver {
  readonly name = 'smpp'
  readonly watches = [
    {
      name: 'the bind',
      isRequiredToSend: true,
      run: async (onWorking: () => void, signal: AbortSignal) =>
        await (await this.#getAccount()).stayBound(onWorking, signal),
    },
  ]
  readonly #settings: SmppSettings
  readonly #context: SmppContext
  #listener: DriverListener | undefined
  #account: Promise<SmppAccount> | undefined

  constructor(settings: SmppSettings, context: SmppContext) {
    this.#settings = settings
    this.#context = context
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<{ parts: number }> {
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    const account = await this.#getAccount()
    return { parts: await account.send(message, signal) }
  }

  async health(): Promise<DriverHealth> {
    const { host, port, systemId } = this.#settings
    try {
      await (await this.#getAccount()).check()
      return { ok: true, detail: `Bound to ${host}:${port} as ${systemId}.` }
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#account)?.close()
  }

  #getAccount(): Promise<SmppAccount> {
    const { clock, random } = this.#context
    this.#account ??= import('./smpp-account.js').then(
      ({ SmppAccount }) =>
        new SmppAccount(this.#settings, { clock, random, listener: this.#listener }),
    )
    return this.#account
  }
}
