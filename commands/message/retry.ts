import { string } from '@oclif/core/args'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatMessage } from '../../src/cli/message/message-views.js'
import type { RelayClient } from '../../src/client/relay-client.js'
import { isRelayError, RelayError } from '../../src/errors.js'

export default class MessageRetry extends ApiCommand {
  static override summary = 'Try messages in error again now.'
  static override description =
    'Skips the delay before the next attempt. A failed message is final: send a new one. ' +
    'A message that cannot be tried again does not stop the others; the command then fails.'
  static override examples = [
    { description: 'Try a message again.', command: '<%= config.bin %> message retry ID' },
    {
      description: 'Try all messages in error again.',
      command:
        '<%= config.bin %> message list --filter error -q | xargs <%= config.bin %> message retry',
    },
  ]
  static override args = {
    id: string({
      description: 'Identifiers of the messages.',
      multiple: true,
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageRetry)
    const question = { name: 'ID', message: 'Message identifier' }
    const [first, ...others] = args.id ?? []
    const ids = [await this.requireValue(first, question), ...others]
    const client = await this.createClient(flags)
    const errors = new Map<string, RelayError>()
    for (const id of ids) {
      const error = await this.#retry(client, id)
      if (error !== undefined) errors.set(id, error)
    }
    const [error] = errors.values()
    if (error !== undefined) throw ids.length === 1 ? error : severalError(error, errors, ids)
  }

  /** Resolves to the error if the message cannot be tried again. */
  async #retry(client: RelayClient, id: string): Promise<RelayError | undefined> {
    try {
      this.printLine(await client.messages.retry(id, this.callOptions), formatMessage)
      return undefined
    } catch (error) {
      if (isRelayError(error, 'invalid_state') || isRelayError(error, 'not_a_message')) return error
      throw error
    }
  }
}

function severalError(
  { code }: RelayError,
  errors: ReadonlyMap<string, RelayError>,
  ids: readonly string[],
): RelayError {
  const text = `${errors.size} of ${ids.length} messages cannot be tried again.`
  return new RelayError(code, text, {
    details: [...errors].map(([id, error]) => `${id}: ${error.message}`),
  })
}
