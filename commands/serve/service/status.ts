import { relayServiceName } from '../../../src/cli/service/relay-job.js'
import { ServiceCommand } from '../../../src/cli/service/run-service-command.js'
import { scopeFlags } from '../../../src/cli/service/scope-flags.js'

export default class ServeServiceStatus extends ServiceCommand {
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
    await this.printStatus(flags, relayServiceName)
  }
}
