import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { removeSetup } from '../../src/cli/phone/setup/saved-setup.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { RelayError } from '../../src/errors.js'

export default class PhoneForget extends BaseCommand {
  static override summary = 'Forget a saved setup of the phone.'
  static override examples = ['<%= config.bin %> phone forget stick']
  static override args = { name: defineRequiredArgument('The setup to forget.') }

  async run(): Promise<void> {
    const { args } = await this.parse(PhoneForget)
    const name = await this.requireValue(args.name, { name: 'NAME', message: 'Name of the setup' })
    if (!(await removeSetup(name, getConfigDir(this.io.env)))) {
      throw new RelayError('not_found', `There is no setup "${name}".`, {
        hint: 'See smsrelay phone setups.',
      })
    }
    this.print({ setup: name, forgotten: true }, () => `Forgot the setup ${name}.`)
  }
}
