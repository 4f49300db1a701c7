import { boolean } from '@oclif/core/flags'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { findProfileName } from '../../src/cli/profile/connection.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { readProfiles, requireProfile } from '../../src/cli/profile/profile.js'
import { profileColumns, summarizeProfile } from '../../src/cli/profile/profile-views.js'

export default class ProfileShow extends BaseCommand {
  static override summary = 'Show a saved profile.'
  static override examples = [
    { description: 'Show the profile in use.', command: '<%= config.bin %> profile show' },
    {
      description: 'Show a profile with its keys.',
      command: '<%= config.bin %> profile show work --show-keys',
    },
  ]
  static override args = { name: defineOptionalArgument('Name of the profile.') }
  static override flags = {
    ...outputFlags,
    'show-keys': boolean({ description: 'Print the keys, too.', env: 'SMSRELAY_SHOW_KEYS' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileShow)
    const printer = await this.openPrinter(flags, profileColumns)
    const dir = getConfigDir(this.io.env)
    const name = args.name ?? (await findProfileName(flags, dir))
    const profile = await requireProfile(name, dir)
    const { current } = await readProfiles(dir)
    const summary = summarizeProfile(name, profile, current)
    const { url: _, email: __, ...keys } = profile
    await printer.printOne({ ...summary, ...(flags['show-keys'] ? keys : {}) })
  }
}
