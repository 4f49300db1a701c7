import { BaseCommand } from '../src/cli/command/base-command.js'
import { profileName } from '../src/cli/profile/connection.js'
import { configDir } from '../src/cli/profile/directories.js'
import { removeProfile } from '../src/cli/profile/profile.js'

export default class Logout extends BaseCommand {
  static override summary = 'Forget a saved profile.'
  static override description = 'The keys stay valid; `smsrelay account rotate` replaces them.'
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --profile work']

  async run(): Promise<void> {
    const { flags } = await this.parse(Logout)
    const profile = profileName(flags)
    const removed = await removeProfile(profile, configDir(this.io.env))
    this.show({ profile, removed }, () =>
      removed ? `Forgot the profile ${profile}.` : `There was no profile ${profile}.`,
    )
  }
}
