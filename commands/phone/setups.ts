import { optionalArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readSetup, readSetups } from '../../src/cli/phone/setup/saved-setup.js'
import { masked, setupTable, setupView } from '../../src/cli/phone/setup/setup-view.js'
import { configDir } from '../../src/cli/profile/directories.js'

export default class PhoneSetups extends BaseCommand {
  static override summary = 'List the saved setups of the phone, or show one in full.'
  static override description = 'Secrets in options are not shown.'
  static override examples = [
    '<%= config.bin %> phone setups',
    '<%= config.bin %> phone setups stick --json',
  ]
  static override args = { name: optionalArgument('The one to show.') }

  async run(): Promise<void> {
    const { args } = await this.parse(PhoneSetups)
    const dir = configDir(this.io.env)
    if (args.name !== undefined) {
      const setup = await readSetup(args.name, dir)
      this.show({ setup: args.name, ...masked(setup) }, () => setupView(setup))
      return
    }
    const setups = await readSetups(dir)
    const all = Object.entries(setups).map(([setup, each]) => ({ setup, ...masked(each) }))
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.line(all, () => (all.length === 0 ? undefined : setupTable(setups, columns)))
    if (all.length === 0) this.note('There are none. Make one: smsrelay phone setup NAME')
  }
}
