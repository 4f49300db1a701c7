import { string } from '@oclif/core/flags'
import type { CallOptions } from '../../client/call-options.js'
import type { RelayClient } from '../../client/relay-client.js'
import { Session } from '../profile/command-session.js'
import {
  type Connection,
  type ConnectionFlags,
  describePlainHttp,
  explainConnectionError,
  type KeyConnection,
  type KeyKind,
  resolveConnection,
  resolveKeys,
} from '../profile/connection.js'
import { getConfigDir } from '../profile/directories.js'
import { BaseCommand } from './base-command.js'

const connectionFlags = {
  url: string({
    description: 'Address of the relay.',
    env: 'SMSRELAY_URL',
    helpValue: 'URL',
    helpGroup: 'CONNECTION',
  }),
  'secret-key': string({
    description: 'Secret key; set SMSRELAY_SECRET_KEY to hide it from `ps`.',
    env: 'SMSRELAY_SECRET_KEY',
    helpValue: 'KEY',
    helpGroup: 'CONNECTION',
  }),
  'api-key': string({
    description: 'API key of the account.',
    env: 'SMSRELAY_API_KEY',
    helpValue: 'KEY',
    helpGroup: 'CONNECTION',
  }),
  'app-key': string({
    description: 'Application key of the account, for phones.',
    env: 'SMSRELAY_APP_KEY',
    helpValue: 'KEY',
    helpGroup: 'CONNECTION',
  }),
  token: string({
    description: 'Access token to use instead of keys; best set in SMSRELAY_TOKEN.',
    env: 'SMSRELAY_TOKEN',
    helpValue: 'TOKEN',
    helpGroup: 'CONNECTION',
  }),
  timeout: string({
    description: 'Longest time of a request: 500ms, 30s, 2m.',
    defaultHelp: async () => '30s',
    env: 'SMSRELAY_TIMEOUT',
    helpValue: 'TIME',
    helpGroup: 'CONNECTION',
  }),
}

export abstract class ApiCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, ...connectionFlags }

  #session: Session | undefined
  #connection: Connection | undefined

  protected get callOptions(): CallOptions {
    return { signal: this.signal }
  }

  /**
   * Creates a command's RelayClient. Flags override the environment, which overrides the profile.
   * Throws `usage`.
   */
  protected async createClient(
    flags: ConnectionFlags,
    kinds?: readonly KeyKind[],
  ): Promise<RelayClient> {
    return (await this.openSession(flags, kinds)).client
  }

  protected async openSession(
    flags: ConnectionFlags,
    kinds?: readonly KeyKind[],
  ): Promise<Session> {
    this.#connection = await resolveConnection(flags, this.io.env, kinds)
    this.warnOfPlainHttp(this.#connection.url)
    this.#session = new Session(this.#connection, getConfigDir(this.io.env), this.io.clock)
    return this.#session
  }

  protected async resolveKeys(
    flags: ConnectionFlags,
    kinds: readonly KeyKind[],
  ): Promise<KeyConnection> {
    const connection = await resolveKeys(flags, this.io.env, kinds)
    this.#connection = connection
    this.warnOfPlainHttp(connection.url)
    return connection
  }

  protected warnOfPlainHttp(url: string): void {
    const warning = describePlainHttp(url)
    if (warning !== undefined) this.printNote(warning)
  }

  protected override async catch(error: unknown): Promise<void> {
    const connection = this.#connection
    await super.catch(connection === undefined ? error : explainConnectionError(error, connection))
  }

  protected override async finally(): Promise<void> {
    await this.#session?.close()
    await super.finally()
  }
}
