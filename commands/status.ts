import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import { outputFlags } from '../src/cli/output/output-flags.js'
import type { RecordPrinter } from '../src/cli/output/record-printer.js'
import {
  followStatus,
  type RelayStatus,
  readStatus,
  type StatusOptions,
} from '../src/cli/status/relay-status.js'
import { formatStatus, listPhoneColumns } from '../src/cli/status/status-view.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { parseDuration } from '../src/cli/terminal/parse-values.js'
import type { RelayClient } from '../src/client/relay-client.js'
import type { PhoneFields } from '../src/contract/phone-schema.js'
import { RelayError } from '../src/errors.js'

/** Milliseconds between two requests of --watch, at least. */
const minInterval = 100

export default class Status extends ApiCommand {
  static override summary = 'Show phones and waiting messages, and warn about problems.'
  static override description =
    'Warns if messages are due while a phone is silent or there is no phone, and if a message is ' +
    'due for too long. Exits with 6 if there is a warning, for monitoring. The columns and ids ' +
    'are those of the phones.'
  static override examples = [
    { description: 'Show the status.', command: '<%= config.bin %> status' },
    {
      description: 'Use the exit code for monitoring.',
      command: '<%= config.bin %> status --json --max-age 5m || echo "Check the phones"',
    },
    {
      description: 'Remove a phone that is no longer used.',
      command: '<%= config.bin %> status --forget old-phone',
    },
  ]
  static override flags = {
    ...outputFlags,
    'max-age': string({
      description: 'How long a message may be due without a warning.',
      env: 'SMSRELAY_MAX_AGE',
      helpValue: 'TIME',
      default: '10m',
    }),
    watch: boolean({ description: 'Repeat until Ctrl-C.', env: 'SMSRELAY_WATCH' }),
    every: string({
      description: 'Interval of --watch.',
      env: 'SMSRELAY_EVERY',
      defaultHelp: async () => '5s',
      helpValue: 'TIME',
    }),
    forget: string({
      description: 'Remove this phone from the list, then show the others.',
      env: 'SMSRELAY_FORGET',
      helpValue: 'NAME',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Status)
    const maxAge = parseDuration('--max-age', flags['max-age'])
    const every = parseDuration('--every', flags.every ?? '5s')
    if (every < minInterval) throw tooShortError(flags.every)
    if (flags.every !== undefined && !flags.watch) {
      throw new RelayError('usage', '--every is only for --watch.', { hint: 'Add --watch.' })
    }
    const printer = await this.openPrinter(flags, listPhoneColumns())
    const client = await this.createClient(flags, ['api'])
    if (flags.forget !== undefined) {
      await client.status.forgetPhone(flags.forget, this.callOptions)
    }
    const readOptions = { signal: this.signal, maxAge }
    if (flags.watch) return await this.#watch(client, printer, readOptions, every)
    const status = await readStatus(client, readOptions)
    await this.#print(status, printer)
    if (status.warnings.length > 0) this.setExitCode(exitCodes.warning)
  }

  async #watch(
    client: RelayClient,
    printer: RecordPrinter<PhoneFields>,
    options: StatusOptions,
    every: number,
  ): Promise<void> {
    const { stdout, clock } = this.io
    const statuses = followStatus(client, {
      ...options,
      wait: () => clock.sleep(every, options.signal),
      onFailure: message => this.printNote(message),
    })
    for await (const status of statuses) {
      // Moves the cursor to the top left and erases the screen.
      if (stdout.isTTY === true && printer.isForPeople) stdout.write('\u001b[H\u001b[2J')
      await this.#print(status, printer)
    }
  }

  async #print(status: RelayStatus, printer: RecordPrinter<PhoneFields>): Promise<void> {
    await printer.printValue(status, status.phones, place => formatStatus(status, place))
  }
}

function tooShortError(value: string | undefined): RelayError {
  const message = `--every ${JSON.stringify(value)} is too short.`
  return new RelayError('usage', message, { hint: `Write at least ${minInterval}ms.` })
}
