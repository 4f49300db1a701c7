import { completeServeArguments, serveFlags } from '../../src/cli/admin/serve-flags.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { loadSettings } from '../../src/cli/config/load-settings.js'
import { assertNoProblems } from '../../src/cli/config/setting-problems.js'
import { settingColumns, toShownSettings } from '../../src/cli/config/settings-view.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { parseRelayConfig } from '../../src/server/config/relay-config.js'

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
    const settings = await loadSettings(parsed, this.io, parseRelayConfig)
    assertNoProblems(settings.problems, parsed.flags.config)
    await printer.printList(toShownSettings(settings, parsed), 'There are no settings.')
  }
}
