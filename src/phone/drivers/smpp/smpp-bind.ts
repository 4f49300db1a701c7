import { DriverError } from '../../driver-port/driver.js'
import { connectToSmsc } from './smpp-connect.js'
import { SmppError } from './smpp-error.js'
import { SmppSession, type SmppSessionOptions } from './smpp-session.js'
import type { SmppSettings } from './smpp-settings.js'
import { describeStatus, isCredentialError } from './smpp-status.js'

/** What a {@link Binding} works with. */
export interface SmppBindOptions extends Pick<SmppSessionOptions, 'delivered' | 'clock'> {}

/** Milliseconds between two binds that fail; an account may be locked by too many wrong passwords. */
const bindDelays = { refused: 15_000, other: 1000 }

/** The bind of an account as a transceiver: made when it is needed, and again after the line was lost. */
export class SmppBind {
  readonly #settings: SmppSettings
  readonly #options: SmppBindOptions
  readonly #closing = new AbortController()
  #session: SmppSession | undefined
  #opening: Promise<SmppSession> | undefined
  #failed: { readonly error: unknown; readonly until: number } | undefined

  constructor(settings: SmppSettings, options: SmppBindOptions) {
    this.#settings = settings
    this.#options = options
  }

  /** A session that is bound; whoever asks at the same time gets the same. Throws {@link DriverError}. */
  async getSession(): Promise<SmppSession> {
    if (this.#closing.signal.aborted) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#session?.open === true) return this.#session
    if (this.#failed !== undefined && this.#options.clock.now() < this.#failed.until) {
      throw this.#failed.error
    }
    this.#opening ??= this.#bind().finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  /** Unbinds, and does not bind again. */
  async close(): Promise<void> {
    this.#closing.abort()
    const session = this.#session ?? (await this.#opening?.catch(() => undefined))
    await session?.unbind()
  }

  async #bind(): Promise<SmppSession> {
    try {
      const session = await this.#open()
      this.#failed = undefined
      this.#session = session
      void session.keepAlive(this.#settings.enquire)
      return session
    } catch (error) {
      const refused = error instanceof DriverError && error.wait > 0
      const wait = refused ? bindDelays.refused : bindDelays.other
      this.#failed = { error, until: this.#options.clock.now() + wait }
      throw error
    }
  }

  async #open(): Promise<SmppSession> {
    const { timeout, systemId, password, systemType } = this.#settings
    const { signal } = this.#closing
    const session = new SmppSession(await connectToSmsc(this.#settings, signal), {
      ...{ timeout, clock: this.#options.clock, delivered: this.#options.delivered },
      closed: () => {
        this.#session = undefined
      },
    })
    try {
      const names = { system_id: systemId, password, system_type: systemType }
      const fields = { ...names, interface_version: 0x34 }
      await session.request('bind_transceiver', fields, { signal })
      return session
    } catch (error) {
      session.end('not bound')
      throw error instanceof SmppError ? bindError(error, this.#settings) : error
    }
  }
}

/** Says which account was refused, and never its password. */
function bindError(error: SmppError, { host, port, systemId }: SmppSettings): DriverError {
  const { fault } = error
  if (fault.by !== 'status') return new DriverError('trouble', error.message, { cause: error })
  const credential = isCredentialError(fault.status)
  const advice = ' Check the option system-id and the password in SMSRELAY_SMPP_PASSWORD.'
  const sentence =
    `The SMSC at ${host}:${port} did not bind system-id "${systemId}" ` +
    `(${describeStatus(fault.status)}).${credential ? advice : ''}`
  const wait = credential ? { wait: bindDelays.refused } : {}
  return new DriverError('trouble', sentence, { cause: error, ...wait })
}
