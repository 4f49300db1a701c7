import { boolean, string } from '@oclif/core/flags'
import { type BulkFlags, bulkFlags } from '../../src/cli/bulk/bulk-flags.js'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument, defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'
import { waitUntilFinal } from '../../src/cli/message/wait-for-message.js'
import { parseTimeout } from '../../src/cli/profile/connection.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseUtcTime } from '../../src/cli/terminal/parse-values.js'
import { readPiped } from '../../src/cli/terminal/stdin.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import type { MessageFields } from '../../src/contract/message-schema.js'
import type { BulkDraft } from '../../src/domain/bulk/bulk-table.js'
import { isTransient, RelayError } from '../../src/errors.js'

export default class MessageSend extends ApiCommand {
  static override summary = 'Hand a text message to the relay.'
  static override description =
    'The relay keeps the message until a phone sends it. With --wait the command ends when the message ' +
    'is final: with 0 when it was sent, with 3 when it ended Failed, Blacklisted or Deleted, with 124 ' +
    'when --timeout passed. Ctrl-C ends the waiting, not the message.\n\n' +
    'With --csv each row of a file becomes a message. Its first line names the columns: destination (or number, ' +
    'phone, to), message (or --text with {column} places), and if you like send_on. All rows are checked first: ' +
    'nothing is sent when one cannot be. What was accepted is remembered until all rows are, so that after ' +
    'Ctrl-C, a crash or an outage the same command goes on and nothing is sent twice. It ends with 0 when every row ' +
    'was accepted, with 1 when rows were invalid or refused, with 130 when it was interrupted. With --json each line ' +
    'is {"type":"row"}, the last {"type":"end"}.'
  static override usage = ['message send DESTINATION [TEXT]', 'message send --csv FILE|-']
  static override examples = [
    '<%= config.bin %> message send +12025550123 "Lunch is ready"',
    'df -h / | <%= config.bin %> message send +12025550123',
    '<%= config.bin %> message send 5551212 hello --wait --timeout 2m',
    '<%= config.bin %> message send +12025550123 "Happy new year" --at "2030-01-01 00:00:00"',
    '<%= config.bin %> message send --csv guests.csv --text "Hello {name}, see you at {time}" --dry-run',
    '<%= config.bin %> message send --csv guests.csv --text "Hello {name}, see you at {time}" --rate 10/s',
  ]
  static override args = {
    destination: defineRequiredArgument('Phone number of the recipient.'),
    text: defineOptionalArgument('The text; "-" or nothing reads it from a pipe.'),
  }
  static override flags = {
    at: string({
      description:
        'Send not before this time: UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone.',
      helpValue: 'TIME',
    }),
    wait: boolean({ description: 'Wait until the message is final.' }),
    timeout: string({
      description:
        'Longest a request may take; with --wait, longest to wait. [default: 30s; with --wait for ever]',
      env: 'SMSRELAY_TIMEOUT',
      helpValue: 'TIME',
    }),
    'idempotency-key': string({
      description: 'The relay accepts only one message per key. [default: a random one]',
      helpValue: 'KEY',
    }),
    'dry-run': boolean({
      description: 'Print what would be sent, and the parts it needs; send nothing.',
    }),
    ...bulkFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageSend)
    const { csv } = flags
    if (csv !== undefined) return await this.#sendTable(args, { ...flags, csv })
    const at = flags.at === undefined ? {} : { send_on: parseUtcTime('--at', flags.at) }
    const destination = await this.requireValue(args.destination, {
      name: 'DESTINATION',
      message: 'Phone number',
    })
    const piped = await readPiped(args.text, this.io.stdin)
    const message = await this.requireValue(piped, { name: 'TEXT', message: 'Text' })
    const draft = { destination, message, ...at }
    if (flags['dry-run']) return await this.#showParts(draft)
    const client = await this.createClient(flags.wait ? { ...flags, timeout: undefined } : flags)
    const key = flags['idempotency-key'] ?? crypto.randomUUID()
    const accepted = await client.messages
      .create(draft, { ...this.callOptions, idempotencyKey: key })
      .catch((error: unknown) => {
        throw addRetryHint(error, key)
      })
    if (!flags.wait) return this.print(accepted, formatMessage)
    this.printNote(`Accepted as ${accepted.id}; waiting for a phone to send it.`)
    const timeout = flags.timeout === undefined ? undefined : parseTimeout(flags.timeout)
    this.#end(await waitUntilFinal(client, accepted, { signal: this.signal, timeout }))
  }

  async #showParts(draft: BulkDraft): Promise<void> {
    const { checkDraft: checkedDraft } = await import('../../src/cli/bulk/checked-draft.js')
    this.print(checkedDraft(draft), checked => formatFields({ ...checked }))
    this.printNote('Nothing was sent.')
  }

  async #sendTable(
    args: Record<string, unknown>,
    flags: BulkFlags & { wait: boolean; 'idempotency-key'?: string | undefined },
  ): Promise<void> {
    if (args.destination !== undefined) {
      throw new RelayError('usage', 'With --csv the numbers are in the file.', {
        hint: 'A text for all rows goes behind --text.',
      })
    }
    const alone = flags.wait ? '--wait' : '--idempotency-key'
    if (flags.wait || flags['idempotency-key'] !== undefined) {
      throw new RelayError('usage', `${alone} is for a single message, not for --csv.`)
    }
    const { parseBulkRequest: bulkRequest } = await import('../../src/cli/bulk/bulk-request.js')
    const { sendBulk: bulkSend } = await import('../../src/cli/bulk/bulk-send.js')
    const { io, json, signal, forceSignal: force } = this
    this.setExitCode(await bulkSend(bulkRequest(flags), { io, json, signal, force }))
  }

  #end(message: MessageFields): void {
    this.print(message, formatMessage)
    if (message.status !== 'S') this.setExitCode(exitCodes.notSent)
  }
}

/** An error after which nobody knows whether the message was accepted says how to find out without doubling it. */
function addRetryHint(error: unknown, key: string): unknown {
  if (!isTransient(error)) return error
  const again = `To try again without doubling the message, give --idempotency-key ${key}.`
  const hint = error.hint === undefined ? again : `${error.hint} ${again}`
  return new RelayError(error.code, error.message, { hint, cause: error })
}
