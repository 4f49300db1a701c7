import { boolean, string } from '@oclif/core/flags'
import { type BulkFlags, bulkFlags } from '../../src/cli/bulk/bulk-flags.js'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument, defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatFailedAttempt, formatMessage } from '../../src/cli/message/message-views.js'
import { waitUntilFinal } from '../../src/cli/message/wait-for-message.js'
import { type ConnectionFlags, parseTimeout } from '../../src/cli/profile/connection.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { Interrupted } from '../../src/cli/terminal/interruption.js'
import { readPiped } from '../../src/cli/terminal/stdin.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import { createUniqueKey } from '../../src/client/call-options.js'
import type { RelayClient } from '../../src/client/relay-client.js'
import type { MessageFields } from '../../src/contract/message-schema.js'
import type { BulkDraft } from '../../src/domain/bulk/bulk-table.js'
import { describeAbsence } from '../../src/domain/phone/phone-status.js'
import { isTransient, RelayError } from '../../src/errors.js'

type SendFlags = BulkFlags &
  ConnectionFlags & {
    readonly wait: boolean
  }

export default class MessageSend extends ApiCommand {
  static override summary =
    'Send a text message, or one for each row of a CSV file or contact of a group.'
  static override description =
    'The relay stores the message until a phone sends it. With --wait, the exit code is 0 if it ' +
    'was sent, 3 if it ended as Failed, Blacklisted or Deleted, and 124 after --timeout. ' +
    '--wait delivered also waits for receipts: 3 if it is undelivered or expired. With ' +
    '--csv or --group, all rows are checked first. The same command sends only the rest within ' +
    '23 hours, after an interruption or when rows were fixed; then it sends all rows again.'
  static override usage = [
    'message send DESTINATION [TEXT]',
    'message send --csv FILE|-',
    'message send --group NAME',
  ]
  static override examples = [
    {
      description: 'Send a text.',
      command: '<%= config.bin %> message send +12025550123 "Lunch is ready"',
    },
    {
      description: 'Send the output of a program.',
      command: 'df -h / | <%= config.bin %> message send +12025550123',
    },
    {
      description: 'Wait until the message is sent.',
      command: '<%= config.bin %> message send 5551212 hello --wait --timeout 2m',
    },
    {
      description: 'Wait until the network has delivered it.',
      command: '<%= config.bin %> message send +12025550123 hello --wait delivered --timeout 5m',
    },
    {
      description: 'Send a text later.',
      command: '<%= config.bin %> message send +12025550123 "Wake up" --at "tomorrow 7:00"',
    },
    {
      description: 'Send a template to a group.',
      command: '<%= config.bin %> message send --group Customers --template "Open late"',
    },
    {
      description: 'Check the rows of a file; send them without --dry-run.',
      command:
        '<%= config.bin %> message send --csv guests.csv ' +
        '--text "Hello {name}, see you at {time}" --rate 10/s --dry-run',
    },
  ]
  static override args = {
    destination: defineRequiredArgument('Phone number of the recipient.'),
    text: defineOptionalArgument('Text; - or no argument reads a pipe.'),
  }
  static override flags = {
    at: string({
      description: 'Earliest time: +10m, "tomorrow 9:00", UTC "YYYY-MM-DD HH:MM:SS" or ISO 8601.',
      env: 'SMSRELAY_AT',
      helpValue: 'TIME',
    }),
    flash: boolean({
      description: 'Flash text: shown at once and not stored, if the driver can.',
      env: 'SMSRELAY_MESSAGE_FLASH',
    }),
    'fewer-parts': boolean({
      description: 'Plain quotes, dashes and spaces if the text is then in the GSM alphabet.',
      env: 'SMSRELAY_FEWER_PARTS',
    }),
    wait: boolean({
      description: 'Wait until the message is final.',
      env: 'SMSRELAY_MESSAGE_WAIT',
    }),
    'wait-delivered': boolean({
      description: 'Wait for the delivery status, too; also written --wait delivered.',
      env: 'SMSRELAY_WAIT_DELIVERED',
    }),
    timeout: string({
      description: 'Longest request; with --wait, longest wait.',
      defaultHelp: async () => '30s; --wait: no limit',
      env: 'SMSRELAY_TIMEOUT',
      helpValue: 'TIME',
    }),
    'idempotency-key': string({
      description: 'The relay accepts one message per key, of a table one of each row, for a day.',
      env: 'SMSRELAY_IDEMPOTENCY_KEY',
      defaultHelp: async () => "a random key, or the table's file",
      helpValue: 'KEY',
    }),
    'dry-run': boolean({
      description: 'Print the messages and their parts; send nothing.',
      env: 'SMSRELAY_DRY_RUN',
    }),
    ...bulkFlags,
  }

  async run(): Promise<void> {
    this.argv = joinWaitValue(this.argv)
    const { args, flags: parsed } = await this.parse(MessageSend)
    const flags = { ...parsed, wait: parsed.wait || parsed['wait-delivered'] }
    if (flags.csv !== undefined || flags.group !== undefined)
      return await this.#sendTable(args, flags)
    const at = flags.at === undefined ? {} : { send_on: await this.#parseTime(flags.at) }
    const destination = await this.requireValue(args.destination, {
      name: 'DESTINATION',
      message: 'Phone number',
    })
    const piped = await readPiped(args.text, this.io)
    const message = await this.requireValue(piped, { name: 'TEXT', message: 'Text' })
    const flash = flags.flash ? { flash: true } : {}
    const text = flags['fewer-parts'] ? await this.#useFewerParts(message) : message
    const draft = { destination, message: text, ...at, ...flash }
    if (flags['dry-run']) return await this.#printParts(draft, message)
    const client = await this.createClient(flags.wait ? { ...flags, timeout: undefined } : flags)
    const key = flags['idempotency-key'] ?? createUniqueKey()
    const accepted = await client.messages
      .create(draft, { ...this.callOptions, idempotencyKey: key })
      .catch((error: unknown) => {
        throw this.isInterrupted ? interruptedSend(key) : addRetryHint(error, key)
      })
    if (!flags.wait) this.print(accepted, formatMessage)
    else this.printNote(`Accepted as ${accepted.id}. Waiting until it is sent.`)
    if (accepted.status === 'N' && flags.at === undefined) await this.#warnOfAbsence(client)
    if (!flags.wait) return
    const delivery = flags['wait-delivered']
    const onFailure = (failed: MessageFields) => this.printNote(formatFailedAttempt(failed))
    const { clock } = this.io
    const options = { clock, signal: this.signal, delivery, onFailure, ...parseTimeout(flags) }
    const final = await waitUntilFinal(client, accepted, options).catch((error: unknown) => {
      throw this.isInterrupted ? interruptedWait(accepted.id) : error
    })
    this.#printFinal(final)
  }

  /** Says that no phone is alive, if the relay and the keys let the command know. */
  async #warnOfAbsence(client: RelayClient): Promise<void> {
    if (this.json) return
    const phones = await client.status.listPhones(this.callOptions).catch(() => undefined)
    const absence = phones && describeAbsence(phones)
    if (absence !== undefined) this.printNote(`${absence.problem}. ${absence.step}`)
  }

  /** Says when a relative or local time is, before anything is sent. */
  async #parseTime(text: string): Promise<string> {
    const { parseSendTime } = await import('../../src/cli/message/send-time.js')
    const { getSystemZone, isTimeZone } = await import('../../src/domain/time/zoned-time.js')
    const zone = getSystemZone()
    const { TZ: given } = this.io.env
    if (given && zone === 'UTC' && !isTimeZone(given.replace(/^:/, ''))) {
      const name = JSON.stringify(given)
      this.printNote(`TZ ${name} is not a time zone; times are in UTC. Write Europe/Berlin.`)
    }
    const { utc, local } = parseSendTime('--at', text, this.io.clock.now(), zone)
    if (local !== undefined) this.printNote(`Sends at ${local} (${zone}), ${utc} UTC.`)
    return utc
  }

  async #useFewerParts(message: string): Promise<string> {
    const { useGsmLetters } = await import('../../src/domain/sms/fewer-parts.js')
    return useGsmLetters(message)
  }

  async #printParts(draft: BulkDraft, given: string): Promise<void> {
    const { checkDraft } = await import('../../src/cli/bulk/bulk-dry-run.js')
    this.print(checkDraft(draft, given), checked => formatFields({ ...checked }))
    this.printNote('Nothing was sent.')
  }

  async #sendTable(args: Record<string, unknown>, flags: SendFlags): Promise<void> {
    const table = flags.csv === undefined ? '--group' : '--csv'
    if (args.destination !== undefined) {
      throw new RelayError('usage', `A recipient and ${table} cannot be combined.`, {
        hint: 'The table has the recipients; --text sets the text of all rows.',
      })
    }
    if (flags.wait) {
      throw new RelayError('usage', `--wait and ${table} cannot be combined.`, {
        hint: 'Remove --wait, which is for a single message.',
      })
    }
    const { parseBulkRequest, sendBulk } = await import('../../src/cli/bulk/bulk-send.js')
    const { io, json, signal, forceSignal } = this
    let session: ReturnType<typeof this.openSession> | undefined
    const openSession = async () => {
      session ??= this.openSession(flags, ['api'])
      return await session
    }
    const { group, template } = flags
    const { findTemplateText, openGroupSource } = await import(
      '../../src/cli/contact/group-source.js'
    )
    const text =
      template === undefined
        ? flags.text
        : await findTemplateText((await openSession()).client, template, signal)
    const openTable =
      group === undefined
        ? undefined
        : async () => await openGroupSource((await openSession()).client, group, signal)
    const context = { io, json, signal, forceSignal, openSession, openTable }
    this.setExitCode(await sendBulk(parseBulkRequest({ ...flags, text }), context))
  }

  #printFinal(message: MessageFields): void {
    this.print(message, formatMessage)
    const state = message.delivery?.state ?? 'pending'
    const isUndelivered = state === 'undelivered' || state === 'expired'
    if (message.status !== 'S' || isUndelivered) this.setExitCode(exitCodes.notSent)
  }
}

/** A boolean flag has no value, so `--wait delivered` is read as one flag. */
function joinWaitValue(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const at = argv.findIndex((each, index) => each === '--wait' && argv[index + 1] === 'delivered')
  return at === -1 || at > end ? [...argv] : argv.toSpliced(at, 2, '--wait-delivered')
}

/** After a transient error the relay may have accepted the message: a retry needs the same key. */
function addRetryHint(error: unknown, key: string): unknown {
  if (!isTransient(error)) return error
  const retry = formatRetryHint(key)
  const hint = error.hint === undefined ? retry : `${error.hint} ${retry}`
  return error.copyWith({ hint, fields: { idempotency_key: key } })
}

function interruptedSend(key: string): Interrupted {
  return new Interrupted(`Interrupted. ${formatRetryHint(key)}`, { idempotency_key: key })
}

function formatRetryHint(key: string): string {
  return `To retry without sending the message twice, add --idempotency-key ${key}.`
}

function interruptedWait(id: string): Interrupted {
  const hint = `See \`smsrelay message get ${id}\`.`
  return new Interrupted(`Interrupted. The relay has accepted message ${id}. ${hint}`, { id })
}
