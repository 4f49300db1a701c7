import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatWatchedMessage, type WatchedMessage } from '../../src/cli/message/message-views.js'
import type { RelayClient } from '../../src/client/relay-client.js'
import type { EventFields } from '../../src/contract/event-schema.js'
import { isRelayError, isTransient } from '../../src/errors.js'

const events = [
  ...['message.create', 'message.sent', 'message.failed', 'message.blocked'],
  ...['message.delivered', 'message.undelivered'],
]

export default class MessageWatch extends ApiCommand {
  static override summary = 'Show the messages of the account as they change, until Ctrl-C.'
  static override description =
    'Prints a line when a message is created, sent, failed, blocked or delivered. ' +
    'After a lost connection it continues where it stopped. `hook listen` shows all events.'
  static override examples = [
    { description: 'Follow the messages.', command: '<%= config.bin %> message watch' },
    {
      description: 'Follow them in a program.',
      command: '<%= config.bin %> message watch --json',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(MessageWatch)
    const client = await this.createClient(flags, ['api'])
    const { signal } = this
    for await (const notice of client.events.follow({ events, signal })) {
      if (notice.type === 'open') this.printNote('Watching messages. Ctrl-C ends.')
      if (notice.type === 'missing') this.printNote('Older events are deleted and not shown.')
      if (notice.type === 'reconnecting' && notice.attempt === 1) {
        this.printNote(`${notice.error.message} Connecting again.`)
      }
      if (notice.type !== 'event') continue
      const watched = await this.#readMessage(client, notice.event)
      if (watched !== undefined) this.printLine(watched, formatWatchedMessage)
    }
  }

  /** The message of an event as it is now; undefined for one that is deleted. */
  async #readMessage(
    client: RelayClient,
    { event, sequence, at, message }: EventFields,
  ): Promise<WatchedMessage | undefined> {
    if (message === undefined) return undefined
    try {
      const found = await client.messages.get(message.id, this.callOptions)
      return { event, sequence, at, message: found }
    } catch (error) {
      if (isRelayError(error, 'not_a_message')) return undefined
      if (!isTransient(error)) throw error
      return { event, sequence, at, message }
    }
  }
}
