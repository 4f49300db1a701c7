import { string } from '@oclif/core/flags'
import type { RelayClient } from '../../client/relay-client.js'
import type { CallOptions } from '../../client/transport.js'
import {
  type ConnectionFlags,
  type KeyKind,
  openClient,
  resolveConnection,
} from '../profile/connection.js'
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

  protected get callOptions(): CallOptions {
    return { signal: this.signal }
  }

  /**
   * Creates a command's RelayClient. Flags override the environment, which overrides the profile.
   * Throws `usage`.
   */
  protected async createClient(
    flags: ConnectionFlags,
    kinds: readonly KeyKind[] = ['api', 'app'],
  ): Promise<RelayClient> {
    return openClient(await resolveConnection(flags, this.io.env, kinds))
  }
}
