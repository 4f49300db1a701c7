import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readSetup, readSetups } from '../../src/cli/phone/setup/saved-setup.js'
import { formatSetup, formatSetupTable, maskSetup } from '../../src/cli/phone/setup/setup-view.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'

export default class PhoneSetups extends BaseCommand {
  static override summary = 'List the saved setups of the phone, or show one in full.'
  static override description = 'Secrets in options are not shown.'
  static override examples = [
    '<%= config.bin %> phone setups',
    '<%= config.bin %> phone setups stick --json',
  ]
  static override args = { name: defineOptionalArgument('The one to show.') }

  async run(): Promise<void> {
    const { args } = await this.parse(PhoneSetups)
    const dir = getConfigDir(this.io.env)
    if (args.name !== undefined) {
      const setup = await readSetup(args.name, dir)
      this.print({ setup: args.name, ...maskSetup(setup) }, () => formatSetup(setup))
      return
    }
    const setups = await readSetups(dir)
    const all = Object.entries(setups).map(([setup, each]) => ({ setup, ...maskSetup(each) }))
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(all, () => (all.length === 0 ? undefined : formatSetupTable(setups, columns)))
    if (all.length === 0) this.printNote('There are none. Make one: smsrelay phone setup NAME')
  }
}
