import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { forgetProfile } from '../../src/cli/profile/forget-profile.js'
import { requireProfile } from '../../src/cli/profile/profile.js'

export default class ProfileRemove extends BaseCommand {
  static override summary = 'Remove a saved profile and revoke its token, as `logout` does.'
  static override examples = [
    { description: 'Remove the profile work.', command: '<%= config.bin %> profile remove work' },
  ]
  static override args = { name: defineRequiredArgument('Name of the profile.') }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileRemove)
    const question = { name: 'NAME', message: 'Name of the profile' }
    const name = await this.requireValue(args.name, question)
    const dir = getConfigDir(this.io.env)
    await requireProfile(name, dir)
    const { revoked } = await forgetProfile(name, dir, this.signal)
    this.print({ profile: name, removed: true }, () => `Removed the profile ${name}.`)
    if (!revoked) this.printNote('Its token could not be revoked; it expires within 8 hours.')
  }
}
