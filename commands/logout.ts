import { BaseCommand } from '../src/cli/command/base-command.js'
import { getProfileName } from '../src/cli/profile/connection.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { removeProfile } from '../src/cli/profile/profile.js'

export default class Logout extends BaseCommand {
  static override summary = 'Remove a saved profile.'
  static override description = 'The keys stay valid; `smsrelay account rotate` replaces them.'
  static override examples = [
    { description: 'Remove the default profile.', command: '<%= config.bin %> logout' },
    { description: 'Remove another profile.', command: '<%= config.bin %> logout --profile work' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Logout)
    const profile = getProfileName(flags)
    const removed = await removeProfile(profile, getConfigDir(this.io.env))
    this.print({ profile, removed }, () =>
      removed ? `Removed the profile ${profile}.` : `There is no profile ${profile}.`,
    )
  }
}
