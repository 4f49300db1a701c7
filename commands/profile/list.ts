import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { readProfiles } from '../../src/cli/profile/profile.js'
import { formatProfileTable, summarizeProfile } from '../../src/cli/profile/profile-views.js'

export default class ProfileList extends BaseCommand {
  static override summary = 'List the saved profiles without their keys.'
  static override description = 'A star marks the profile that commands use without --profile.'
  static override examples = [
    { description: 'List the profiles.', command: '<%= config.bin %> profile list' },
  ]

  async run(): Promise<void> {
    await this.parse(ProfileList)
    const { profiles, current } = await readProfiles(getConfigDir(this.io.env))
    const summaries = [...profiles].map(([name, profile]) =>
      summarizeProfile(name, profile, current),
    )
    this.printList(summaries, formatProfileTable, 'There are no profiles. Save one: smsrelay login')
  }
}
