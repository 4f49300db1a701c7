import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { driverFlags, driverHelp, runningFlags } from '../../src/cli/phone/phone-flags.js'
import { assertSetupName, saveSetup } from '../../src/cli/phone/setup/saved-setup.js'
import { applySetup, checkSetup, toSetup } from '../../src/cli/phone/setup/setup-flags.js'
import { askForSetup } from '../../src/cli/phone/setup/setup-prompts.js'
import { formatSetup, maskSetup } from '../../src/cli/phone/setup/setup-view.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { canAsk } from '../../src/cli/terminal/prompt.js'

export default class PhoneSetup extends BaseCommand {
  static override summary = 'Save the flags of a phone under a name.'
  static override description =
    'Checks the flags and saves them in a file that only you can read; it opens no driver. ' +
    `Without --driver it asks. A setup of the same name is replaced.\n\n${driverHelp}`
  static override examples = [
    {
      description: 'Save a modem as stick.',
      command:
        '<%= config.bin %> phone setup stick --driver modem ' +
        '--option device=/dev/ttyUSB2 --rate 30/min',
    },
    {
      description: 'Answer questions instead.',
      command: '<%= config.bin %> phone setup stick',
    },
    { description: 'Use the setup.', command: '<%= config.bin %> phone --use stick' },
  ]
  static override args = { name: defineRequiredArgument('Name of the setup.') }
  static override flags = { ...driverFlags, ...runningFlags }

  async run(): Promise<void> {
    const parsed = await this.parse(PhoneSetup)
    const question = { name: 'NAME', message: 'Name of the setup', default: 'default' }
    const name = await this.requireValue(parsed.args.name, question)
    assertSetupName(name)
    const typed = toSetup(await applySetup(parsed, this.io.env))
    const asks = typed.driver === undefined && canAsk(this.io, this.json)
    const setup = asks ? { ...typed, ...(await askForSetup(this.io)) } : typed
    await checkSetup(setup, this.io.env)
    const replaced = await saveSetup(name, setup, getConfigDir(this.io.env))
    const shown = { setup: name, ...maskSetup(setup) }
    this.print({ ...shown, replaced }, () => formatSetup(shown))
    this.printNote(`Saved as ${name}. Check it: smsrelay phone doctor --use ${name}`)
  }
}
