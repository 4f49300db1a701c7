import { relayServiceName } from '../../../src/cli/service/relay-job.js'
import { ServiceCommand } from '../../../src/cli/service/run-service-command.js'
import { scopeFlags } from '../../../src/cli/service/scope-flags.js'

export default class ServeServiceUninstall extends ServiceCommand {
  static override summary = 'Stop the relay that runs as a service, and remove the service.'
  static override description =
    'Requests in progress are finished first. The records, the configuration file and serve.env ' +
    'stay.'
  static override examples = [
    {
      description: 'Remove the service of the machine.',
      command: 'sudo <%= config.bin %> serve service uninstall',
    },
    {
      description: 'Remove the service of your user.',
      command: '<%= config.bin %> serve service uninstall --user',
    },
  ]
  static override flags = scopeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ServeServiceUninstall)
    await this.uninstall(flags, relayServiceName)
  }
}
