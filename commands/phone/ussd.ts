import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import {
  driverFlags,
  parseDriverOptions,
  parseUssdCode,
  useFlag,
} from '../../src/cli/phone/phone-flags.js'
import { applySetup, checkSetup } from '../../src/cli/phone/setup/setup-flags.js'
import { getStateDir } from '../../src/cli/profile/directories.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { cleanText } from '../../src/cli/terminal/terminal-text.js'
import { RelayError } from '../../src/errors.js'
import { DriverError } from '../../src/phone/driver-port/driver.js'
import { createDriverSet } from '../../src/phone/drivers/driver-set.js'

export default class PhoneUssd extends BaseCommand {
  static override summary = 'Send a USSD code to the network, such as that of the balance.'
  static override description =
    'Prints the reply of the network. The drivers modem, gammu and mmcli can do this while no ' +
    'phone uses the modem. Codes can change the contract: ask the operator for them.'
  static override examples = [
    {
      description: 'Show the balance of a prepaid SIM.',
      command: "<%= config.bin %> phone ussd '*100#' --driver modem --option device=/dev/ttyUSB2",
    },
    {
      description: 'Choose an entry of a menu at once, with a saved setup.',
      command: "<%= config.bin %> phone ussd '*100*2#' --use stick",
    },
  ]
  static override args = { code: defineRequiredArgument('Digits, * and #, as on a phone.') }
  static override flags = { ...driverFlags, ...useFlag }

  async run(): Promise<void> {
    const parsed = await this.parse(PhoneUssd)
    const flags = await applySetup(parsed, this.io.env)
    const question = { name: 'CODE', message: 'USSD code' }
    const code = parseUssdCode('CODE', await this.requireValue(parsed.args.code, question))
    const { env, clock } = this.io
    await checkSetup(flags, env)
    const { driver: drivers = [], route: routes } = flags
    const choice = { drivers, routes, options: parseDriverOptions(flags) }
    await using driver = createDriverSet(choice, { env, clock, stateDir: getStateDir(env) })
    if (driver.queryUssd === undefined) {
      throw new RelayError('usage', `The driver ${driver.name} cannot send USSD codes.`, {
        hint: 'Name one driver: --driver modem, gammu or mmcli, with its --option.',
      })
    }
    try {
      const reply = await driver.queryUssd(code, this.signal)
      this.printLine({ code, reply }, () => cleanText(reply))
    } catch (error) {
      if (!(error instanceof DriverError)) throw error
      this.printLine({ code, error: error.message }, () => `No reply. ${error.message}`)
      this.setExitCode(exitCodes.failed)
    }
  }
}
