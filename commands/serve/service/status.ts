import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { findManager } from '../../../src/cli/service/find-manager.js'
import { relayServiceName } from '../../../src/cli/service/relay-job.js'
import { runStatus } from '../../../src/cli/service/run-service-command.js'
import { parseScope, scopeFlags } from '../../../src/cli/service/scope-flags.js'
import { exitCodes } from '../../../src/cli/terminal/exit-codes.js'

export default class ServeServiceStatus extends BaseCommand {
  static override summary = 'Show whether the relay runs as a service.'
  static override description =
    'Prints its state, process, file and the command that shows its log. ' +
    'The exit code is 6 if the service does not run.'
  static override examples = [
    {
      description: 'Show the service of the machine.',
      command: '<%= config.bin %> serve service status --system',
    },
    {
      description: 'Show the service of your user as JSON.',
      command: '<%= config.bin %> serve service status --user --json',
    },
  ]
  static override flags = scopeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ServeServiceStatus)
    const place = { scope: parseScope(flags), name: relayServiceName }
    const { value, text, isActive } = await runStatus(place, findManager(), this.io.env)
    this.print(value, () => text)
    if (!isActive) this.setExitCode(exitCodes.warning)
  }
}
