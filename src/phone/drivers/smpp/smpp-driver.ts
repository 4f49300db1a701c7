import {
  type Driver,
  DriverError,
  type DriverListener,
  type DriverMessage,
} from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import type { SmppAccount, SmppAccountContext } from './smpp-account.js'
import { parseSmppSettings, type SmppSettings } from './smpp-settings.js'

/** Names of the options of {@link createSmppDriver}. */
export const smppOptions = [
  ...['host', 'port', 'tls', 'insecure', 'system-id', 'password', 'system-type'],
  ...['source', 'source-ton', 'source-npi', 'window', 'enquire', 'timeout', 'long', 'reports'],
] as const

/** What the smpp driver uses of the world. */
export interface SmppContext extends Pick<SmppAccountContext, 'clock' | 'random'> {
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * A driver for an account at an SMSC (SMPP 3.4): `host`, `port` (@default 2775, with `tls=yes` 3550), `system-id`,
 * the password in SMSRELAY_SMPP_PASSWORD, `system-type`, the sender (`source`, `source-ton`, `source-npi`), submits in
 * flight at a time (`window`, @default 10), seconds between two enquire_link (`enquire`, @default 30), seconds an answer
 * is waited for (`timeout`, @default 30), how long texts go (`long`: `udh`, `payload` or `sar`, @default udh) and
 * whether delivery receipts are asked for (`reports=yes`). Stays bound as a transceiver while the phone runs. Throws
 * `usage`.
 */
export function createSmppDriver(options: DriverOptions, context: SmppContext): Driver {
  return new SmppDriver(parseSmppSettings(options, context.env), context)
}

class SmppDriver implements Driver {
  readonly name = 'smpp'
  readonly watches = [
    {
      ...{ name: 'the bind', isRequiredToSend: true },
      run: async (well: () => void, signal: AbortSignal) =>
        await (await this.#opened()).stayBound(well, signal),
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
    const account = await this.#opened()
    return { parts: await account.send(message, signal) }
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    const { host, port, systemId } = this.#settings
    try {
      await (await this.#opened()).check()
      return { ok: true, detail: `Bound to ${host}:${port} as ${systemId}.` }
    } catch (error) {
      return { ok: false, detail: (error as Error).message }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#account)?.close()
  }

  /** The package is loaded with the first text. */
  #opened(): Promise<SmppAccount> {
    this.#account ??= import('./smpp-account.js').then(
      ({ SmppAccount }) =>
        new SmppAccount(this.#settings, {
          clock: this.#context.clock,
          random: this.#context.random,
          listener: this.#listener,
        }),
    )
    return this.#account
  }
}
