import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import { followStatus, type RelayStatus, readStatus } from '../src/cli/status/relay-status.js'
import { formatStatus } from '../src/cli/status/status-view.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { parseDuration } from '../src/cli/terminal/parse-values.js'
import type { RelayClient } from '../src/client/relay-client.js'
import { RelayError } from '../src/errors.js'
import { pause } from '../src/util/async/clock.js'

export default class Status extends ApiCommand {
  static override summary = 'Show how the phones and the messages that wait are doing.'
  static override description =
    'Lists the phones of the account with their last signs of life, how many messages are due, in the hands of phones ' +
    'and for later, and warns of what wants looking after: a phone that fell silent or none at all while messages are ' +
    'due, and a message that is due for long. Ends with 6 when there is a warning, so that it can be used for monitoring.'
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status --json --max-age 5m || echo "look after the phones"',
    '<%= config.bin %> status --watch',
    '<%= config.bin %> status --forget old-phone',
  ]
  static override flags = {
    'max-age': string({
      description: 'How long a message may be due before it is warned of.',
      helpValue: 'TIME',
      default: '10m',
    }),
    watch: boolean({ description: 'Show it again and again, until Ctrl-C.' }),
    every: string({
      description: 'With --watch: time between two looks. [default: 5s]',
      helpValue: 'TIME',
    }),
    forget: string({
      description: 'Forget this phone, which is gone for good; then show the others.',
      helpValue: 'NAME',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Status)
    const maxAge = parseDuration('--max-age', flags['max-age'])
    const every = Math.max(parseDuration('--every', flags.every ?? '5s'), 100)
    if (flags.every !== undefined && !flags.watch) {
      throw new RelayError('usage', '--every goes with --watch.')
    }
    const client = await this.createClient(flags, ['api'])
    if (flags.forget !== undefined) await client.status.forgetPhone(flags.forget, this.callOptions)
    if (flags.watch) return await this.#watch(client, maxAge, every)
    const status = await readStatus(client, { signal: this.signal, maxAge })
    this.#print(status)
    if (status.warnings.length > 0) this.setExitCode(exitCodes.warning)
  }

  async #watch(client: RelayClient, maxAge: number, every: number): Promise<void> {
    const { signal } = this
    const rest = async () => await pause(every, signal)
    const onMiss = (sentence: string) => this.printNote(sentence)
    for await (const status of followStatus(client, {
      signal,
      maxAge,
      wait: rest,
      onFailure: onMiss,
    })) {
      if (this.io.stdout.isTTY === true && !this.json) this.io.stdout.write('\u001b[H\u001b[2J')
      this.#print(status)
    }
  }

  #print(status: RelayStatus): void {
    this.print(status, formatStatus)
  }
}
