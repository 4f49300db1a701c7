import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { removeSetup } from '../../src/cli/phone/setup/saved-setup.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { RelayError } from '../../src/errors.js'

export default class PhoneForget extends BaseCommand {
  static override summary = 'Remove a saved setup.'
  static override examples = [
    { description: 'Remove the setup stick.', command: '<%= config.bin %> phone forget stick' },
  ]
  static override args = { name: defineRequiredArgument('Name of the setup.') }

  async run(): Promise<void> {
    const { args } = await this.parse(PhoneForget)
    const question = { name: 'NAME', message: 'Name of the setup' }
    const name = await this.requireValue(args.name, question)
    if (!(await removeSetup(name, getConfigDir(this.io.env)))) {
      throw new RelayError('not_found', `There is no setup "${name}".`, {
        hint: 'List the setups: smsrelay phone setups.',
      })
    }
    this.print({ setup: name, forgotten: true }, () => `Removed the setup ${name}.`)
  }
}
