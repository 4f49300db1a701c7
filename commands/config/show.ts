import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readSettings } from '../../src/cli/config/read-settings.js'
import { completeServeArguments, serveFlags } from '../../src/cli/config/serve-flags.js'
import {
  assertNoProblems,
  settingColumns,
  toShownSettings,
} from '../../src/cli/config/settings-view.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class ConfigShow extends BaseCommand {
  static override summary = 'Show each setting of `serve`, and where it is from.'
  static override description =
    'A flag wins over the environment, the environment over the configuration file. ' +
    'Passwords are masked.'
  static override examples = [
    {
      description: 'Show the settings that a file and the environment give.',
      command: '<%= config.bin %> config show --config /etc/smsrelay.toml',
    },
  ]
  static override flags = { ...serveFlags, ...outputFlags }

  async run(): Promise<void> {
    const parsed = await this.parse(ConfigShow, completeServeArguments(this.argv))
    const printer = await this.openPrinter(parsed.flags, settingColumns)
    const settings = await readSettings(parsed, this.io)
    assertNoProblems(settings.problems, settings.values.config)
    await printer.printList(toShownSettings(settings), 'There are no settings.')
  }
}
