import { BaseCommand } from '../../src/cli/command/base-command.js'
import { setupArgument, userFlag } from '../../src/cli/service/service-flags.js'
import { locateService, uninstallService } from '../../src/cli/service/systemd.js'

export default class ServiceUninstall extends BaseCommand {
  static override summary = 'Stop a service of systemd and remove it.'
  static override description =
    'What is in progress is finished first. Records, journals, the configuration file and ' +
    'serve.env stay.'
  static override examples = [
    {
      description: 'Remove the service of the relay.',
      command: 'sudo <%= config.bin %> service uninstall',
    },
    {
      description: 'Remove the service of a phone.',
      command: '<%= config.bin %> service uninstall stick',
    },
  ]
  static override args = setupArgument
  static override flags = userFlag

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ServiceUninstall)
    const service = locateService(args.setup, flags.user, this.io.env)
    const files = args.setup === undefined ? [] : [service.variables]
    await uninstallService(service, files, this.io.env)
    const { name, unit } = service
    this.print({ unit: name, file: unit, removed: true }, () => `Removed the service ${name}.`)
  }
}
