import { BaseCommand } from '../../src/cli/command/base-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { readProfiles } from '../../src/cli/profile/profile.js'
import { profileColumns, summarizeProfile } from '../../src/cli/profile/profile-views.js'

export default class ProfileList extends BaseCommand {
  static override summary = 'List the saved profiles without their keys.'
  static override description = 'A star marks the profile that commands use without --profile.'
  static override examples = [
    { description: 'List the profiles.', command: '<%= config.bin %> profile list' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ProfileList)
    const printer = await this.openPrinter(flags, profileColumns)
    const { profiles, current } = await readProfiles(getConfigDir(this.io.env))
    const summaries = [...profiles].map(([name, profile]) =>
      summarizeProfile(name, profile, current),
    )
    await printer.printList(summaries, 'There are no profiles. Save one: smsrelay login')
  }
}
