import { BaseCommand } from '../src/cli/command/base-command.js'
import { findProfileName } from '../src/cli/profile/connection.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { forgetProfile } from '../src/cli/profile/forget-profile.js'

export default class Logout extends BaseCommand {
  static override summary = 'Remove a saved profile and revoke its token.'
  static override description = 'The keys stay valid; `smsrelay account rotate` replaces them.'
  static override examples = [
    { description: 'Remove the default profile.', command: '<%= config.bin %> logout' },
    { description: 'Remove another profile.', command: '<%= config.bin %> logout --profile work' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Logout)
    const dir = getConfigDir(this.io.env)
    const profile = await findProfileName(flags, dir)
    const { removed, revoked } = await forgetProfile(profile, dir, this.signal)
    this.print({ profile, removed }, () =>
      removed ? `Removed the profile ${profile}.` : `There is no profile ${profile}.`,
    )
    if (!revoked) this.printNote('Its token could not be revoked; it expires within 8 hours.')
  }
}
