import { boolean, string } from '@oclif/core/flags'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { parseDriverOptions } from '../../src/cli/phone/driver-flags.js'
import { driverFlags, useFlag } from '../../src/cli/phone/phone-flags.js'
import { applySetup, checkSetup } from '../../src/cli/phone/setup/setup-flags.js'
import {
  parseTestDestination,
  sendTestText,
  type TestResult,
} from '../../src/cli/phone/test-driver.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { Interrupted } from '../../src/cli/terminal/interruption.js'
import { parseDuration } from '../../src/cli/terminal/parse-values.js'
import { canAsk, confirm } from '../../src/cli/terminal/prompt.js'
import { toOneLine } from '../../src/cli/terminal/terminal-text.js'
import { countSmsParts } from '../../src/domain/sms/sms-parts.js'
import { RelayError } from '../../src/errors.js'
import { createDriverSet } from '../../src/phone/drivers/driver-set.js'

const needsYes = 'A real text would be sent, and it may cost money.'
const unknownResult = 'Nobody knows whether it was sent: look at the phone before you try again.'

export default class PhoneTest extends BaseCommand {
  static override summary = 'Send one text straight through the driver, past the relay.'
  static override description =
    'Shows what the driver says: the parts it took, and a delivery report where it gives one within --wait. The relay ' +
    'is not asked, and neither --rate nor quiet hours count. Asks before it sends; where nobody can be asked, --yes ' +
    'must be given. Ends with 3 when the text was not sent, or is not known to be.'
  static override examples = [
    '<%= config.bin %> phone test +12025550123 --use stick',
    '<%= config.bin %> phone test +12025550123 --driver modem --option device=/dev/ttyUSB2 --option reports=yes --wait 1m',
  ]
  static override args = { destination: defineRequiredArgument('The number to send to.') }
  static override flags = {
    text: string({ description: 'The text.', default: 'This is a test of smsrelay.' }),
    wait: string({
      description:
        'How long delivery reports are waited for; 124 when they do not come. [default: 30s where an option asks for reports]',
      helpValue: 'TIME',
    }),
    yes: boolean({ char: 'y', description: 'Send without asking.' }),
    ...driverFlags,
    ...useFlag,
  }

  async run(): Promise<void> {
    const parsed = await this.parse(PhoneTest)
    const flags = await applySetup(parsed, this.io.env)
    const question = { name: 'DEST', message: 'Number to send to' }
    const destination = parseTestDestination(
      await this.requireValue(parsed.args.destination, question),
    )
    if (flags.text === '') throw new RelayError('usage', '--text is empty.')
    await checkSetup(flags, this.io.env)
    const { driver: drivers = [], route: routes, option = [] } = flags
    const asks = option.some(each => /(^|\.)reports=yes$/.test(each))
    const wait =
      flags.wait === undefined ? (asks ? 30_000 : 0) : parseDuration('--wait', flags.wait)
    await this.#agreed(destination, flags.text, drivers, flags.yes)
    const choice = { drivers, routes, options: parseDriverOptions(flags) }
    await using driver = createDriverSet(choice, { env: this.io.env })
    const trial = await sendTestText(
      { destination, text: flags.text },
      {
        ...{ driver, stop: this.signal, wait },
        onReceived: (from, text) =>
          this.printNote(`Came in from ${toOneLine(from)}: ${toOneLine(text)}`),
        onSent: (parts, took) =>
          this.printNote(`Sent in ${formatParts(parts)}, ${(took / 1000).toFixed(1)} s.`),
      },
    )
    this.printLine({ destination, ...trial }, () => formatResult(trial))
    this.setExitCode(getExitCode(trial, flags.wait !== undefined))
  }

  async #agreed(
    destination: string,
    text: string,
    drivers: readonly string[],
    yes: boolean,
  ): Promise<void> {
    const { parts } = countSmsParts(text)
    const what = `"${toOneLine(text)}" (${formatParts(parts)}) to ${destination} by ${drivers.join(', ')}`
    this.printNote(`This sends a real text: ${what}.`)
    if (yes) return
    if (!canAsk(this.io, this.json))
      throw new RelayError('usage', needsYes, { hint: 'Give --yes.' })
    if (!(await confirm('Send it?', this.io))) throw new Interrupted('Nothing was sent.')
  }
}

/** 0 when it was sent and, where that was waited for, delivered; some networks report a whole text, not each part. */
function getExitCode(trial: TestResult, waited: boolean): number {
  if (trial.result !== 'sent' || trial.reports.includes('failed')) return exitCodes.notSent
  return waited && !trial.reports.includes('delivered') ? exitCodes.timedOut : exitCodes.ok
}

function formatParts(count: number): string {
  return `${count} part${count === 1 ? '' : 's'}`
}

function formatResult(trial: TestResult): string {
  if (trial.result !== 'sent') {
    const error = toOneLine(trial.error)
    return trial.result === 'unknown' ? `${error} ${unknownResult}` : `Not sent: ${error}`
  }
  const { parts, reports } = trial
  if (reports.includes('failed')) return 'The network could not deliver it.'
  const delivered = reports.filter(each => each === 'delivered').length
  if (delivered === 0) return 'The driver took it. There is no delivery report.'
  return `Delivered: ${delivered} of ${formatParts(parts)}.`
}
