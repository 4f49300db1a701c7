import { boolean, string } from '@oclif/core/flags'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import {
  driverFlags,
  parseDriverOptions,
  runningFlags,
  useFlag,
} from '../../src/cli/phone/phone-flags.js'
import { openPhoneWebhooks } from '../../src/cli/phone/phone-webhooks.js'
import { applySetup, checkSetup } from '../../src/cli/phone/setup/setup-flags.js'
import {
  parseTestDestination,
  sendTestText,
  type TestResult,
} from '../../src/cli/phone/test-driver.js'
import { getStateDir } from '../../src/cli/profile/directories.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { Interrupted } from '../../src/cli/terminal/interruption.js'
import { parseDuration } from '../../src/cli/terminal/parse-values.js'
import { canAsk, confirm } from '../../src/cli/terminal/prompt.js'
import { toOneLine } from '../../src/cli/terminal/terminal-text.js'
import { countSmsParts } from '../../src/domain/sms/sms-parts.js'
import { RelayError } from '../../src/errors.js'
import { createDriverSet } from '../../src/phone/drivers/driver-set.js'
import { pluralize } from '../../src/util/text/plural.js'

export default class PhoneTest extends BaseCommand {
  static override summary = 'Send one text through a driver, without the relay.'
  static override description =
    'Shows the number of parts, and delivery receipts if the driver gets them: with the option ' +
    'reports, or as webhooks with --listen. Rates and quiet hours do not apply. Exits with 3 if ' +
    'the text was not sent, or the result is unknown.'
  static override examples = [
    {
      description: 'Send a text with a saved setup.',
      command: '<%= config.bin %> phone test +12025550123 --use stick',
    },
    {
      description: 'Wait for the delivery receipt of a modem.',
      command:
        '<%= config.bin %> phone test +12025550123 --driver modem ' +
        '--option device=/dev/ttyUSB2 --option reports=yes --wait 1m',
    },
    {
      description: 'Ask a provider for the delivery status, for two minutes.',
      command:
        '<%= config.bin %> phone test +12025550123 --driver http --option preset=twilio ' +
        '--option from=+12025550100 --option reports=poll --wait 2m',
    },
  ]
  static override args = { destination: defineRequiredArgument('Phone number of the recipient.') }
  static override flags = {
    text: string({
      description: 'The text.',
      env: 'SMSRELAY_PHONE_TEXT',
      default: 'This is a test of smsrelay.',
    }),
    wait: string({
      description: 'Longest wait for delivery receipts (then exit code 124).',
      env: 'SMSRELAY_PHONE_WAIT',
      defaultHelp: async () => '30s with the option reports or --listen, else 0',
      helpValue: 'TIME',
    }),
    yes: boolean({ char: 'y', description: 'Send without asking.', env: 'SMSRELAY_YES' }),
    listen: runningFlags.listen,
    ...driverFlags,
    ...useFlag,
  }

  async run(): Promise<void> {
    const parsed = await this.parse(PhoneTest)
    const flags = await applySetup(parsed, this.io.env)
    const question = { name: 'DESTINATION', message: 'Phone number of the recipient' }
    const typed = await this.requireValue(parsed.args.destination, question)
    const destination = parseTestDestination(typed)
    if (flags.text === '') throw new RelayError('usage', '--text is empty.')
    const { env, clock } = this.io
    await checkSetup(flags, env)
    const { driver: drivers = [], route: routes } = flags
    // A running phone may serve the address of the setup, or of the environment.
    const isListenTyped = parsed.raw.some(each => each.type === 'flag' && each.flag === 'listen')
    const listen = isListenTyped ? flags.listen : undefined
    const wait = parseWait({ ...flags, listen })
    await this.#confirm(destination, flags.text, drivers, flags.yes)
    const choice = { drivers, routes, options: parseDriverOptions(flags) }
    await using driver = createDriverSet(choice, { env, clock, stateDir: getStateDir(env) })
    await using _webhooks = await openPhoneWebhooks(listen, driver, {
      clock,
      warn: sentence => this.printNote(sentence),
      onListening: url => this.printNote(`Webhooks are served at ${url}.`),
    })
    const result = await sendTestText(
      { destination, text: flags.text },
      {
        driver,
        stop: this.signal,
        wait,
        clock,
        onReceived: (from, text) =>
          this.printNote(`Received from ${toOneLine(from)}: ${toOneLine(text)}`),
        onSent: (parts, duration) =>
          this.printNote(`Sent ${pluralize(parts, 'part')} in ${(duration / 1000).toFixed(1)} s.`),
      },
    )
    this.printLine({ destination, ...result }, () => formatResult(result))
    this.setExitCode(getExitCode(result, flags.wait !== undefined))
  }

  async #confirm(
    destination: string,
    text: string,
    drivers: readonly string[],
    yes: boolean,
  ): Promise<void> {
    const parts = pluralize(countSmsParts(text).parts, 'part')
    const what = `"${toOneLine(text)}" (${parts}) to ${destination} by ${drivers.join(', ')}`
    this.printNote(`This sends a real text: ${what}.`)
    if (yes) return
    if (!canAsk(this.io, this.json)) {
      const message = `This would send a real text to ${destination}, which can cost money.`
      throw new RelayError('usage', message, { hint: 'Add --yes to send it.' })
    }
    if (!(await confirm('Send it?', this.io))) throw new Interrupted('Nothing was sent.')
  }
}

interface WaitFlags {
  readonly wait?: string | undefined
  readonly listen: string | undefined
  readonly option?: readonly string[] | undefined
}

/** Milliseconds to wait for receipts; by default only if the driver gets some. */
function parseWait({ wait, listen, option = [] }: WaitFlags): number {
  if (wait !== undefined) return parseDuration('--wait', wait)
  const isAsked = option.some(each => /(^|\.)reports=(yes|poll)$/.test(each))
  return isAsked || listen !== undefined ? 30_000 : 0
}

/** With --wait, 0 requires a receipt. One is enough: some networks send one for all parts. */
function getExitCode(result: TestResult, waits: boolean): number {
  if (result.result !== 'sent' || hasFailed(result)) return exitCodes.notSent
  return waits && !result.reports.includes('delivered') ? exitCodes.timedOut : exitCodes.ok
}

function hasFailed({ reports }: Extract<TestResult, { result: 'sent' }>): boolean {
  return reports.includes('undelivered') || reports.includes('expired')
}

function formatResult(result: TestResult): string {
  if (result.result !== 'sent') {
    const error = toOneLine(result.error)
    if (result.result !== 'unknown') return `Not sent: ${error}`
    return `The result is unknown: ${error} Check the phone before you try again.`
  }
  const { parts, awaited, reports } = result
  if (hasFailed(result)) return 'The network could not deliver the text.'
  const delivered = reports.filter(each => each === 'delivered').length
  if (delivered === 0) return 'Sent, without a delivery receipt.'
  if (awaited < parts) return 'Delivered.'
  return `Delivered: ${delivered} of ${pluralize(parts, 'part')}.`
}
