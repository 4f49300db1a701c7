import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { readSetup, readSetups } from '../../src/cli/phone/setup/saved-setup.js'
import { maskSetup, setupColumns } from '../../src/cli/phone/setup/setup-view.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'

export default class PhoneSetups extends BaseCommand {
  static override summary = 'List the saved setups, or show one in full.'
  static override description = 'Secrets in options are masked.'
  static override examples = [
    { description: 'List the setups.', command: '<%= config.bin %> phone setups' },
    {
      description: 'Show the setup stick as JSON.',
      command: '<%= config.bin %> phone setups stick --json',
    },
  ]
  static override args = { name: defineOptionalArgument('Name of the setup.') }
  static override flags = outputFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PhoneSetups)
    const printer = await this.openPrinter(flags, setupColumns)
    const dir = getConfigDir(this.io.env)
    if (args.name !== undefined) {
      const setup = await readSetup(args.name, dir)
      await printer.printOne({ setup: args.name, ...maskSetup(setup) })
      return
    }
    const setups = await readSetups(dir)
    const masked = Object.entries(setups).map(([setup, each]) => ({ setup, ...maskSetup(each) }))
    const hint = 'There are no setups. Save one: smsrelay phone setup NAME'
    await printer.printList(masked, hint)
  }
}
