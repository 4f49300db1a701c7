import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import { renameProfile } from '../../src/cli/profile/profile.js'
import { renameTokens } from '../../src/cli/profile/token-cache.js'

export default class ProfileRename extends BaseCommand {
  static override summary = 'Rename a saved profile.'
  static override examples = [
    {
      description: 'Rename local to home.',
      command: '<%= config.bin %> profile rename local home',
    },
  ]
  static override args = {
    name: defineRequiredArgument('Name of the profile.'),
    newName: defineRequiredArgument('New name of the profile.'),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileRename)
    const question = { name: 'NAME', message: 'Name of the profile' }
    const from = await this.requireValue(args.name, question)
    const to = await this.requireValue(args.newName, { name: 'NEWNAME', message: 'Its new name' })
    const dir = getConfigDir(this.io.env)
    await renameProfile(from, to, dir)
    await renameTokens(dir, from, to)
    this.print({ profile: to, renamed_from: from }, () => `Renamed the profile ${from} to ${to}.`)
  }
}
