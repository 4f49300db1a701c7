import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { useProfile } from '../../src/cli/profile/profile.js'

export default class ProfileUse extends BaseCommand {
  static override summary = 'Choose the profile that commands use without --profile.'
  static override examples = [
    { description: 'Use the profile work.', command: '<%= config.bin %> profile use work' },
  ]
  static override args = { name: defineRequiredArgument('Name of the profile.') }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileUse)
    const question = { name: 'NAME', message: 'Name of the profile' }
    const name = await this.requireValue(args.name, question)
    await useProfile(name, getConfigDir(this.io.env))
    this.print({ profile: name, current: true }, () => `Commands now use the profile ${name}.`)
    if (this.io.env.SMSRELAY_PROFILE !== undefined) {
      this.printNote('SMSRELAY_PROFILE is set and overrides this choice.')
    }
  }
}
