import { rm } from 'node:fs/promises'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { hasOwnUnit, locateService, systemctl } from '../../src/cli/service/systemd.js'
import { RelayError } from '../../src/errors.js'
import ServiceInstall from './install.js'

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
  static override args = ServiceInstall.args
  static override flags = { user: ServiceInstall.flags.user }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ServiceUninstall)
    const { env } = this.io
    const service = locateService(args.setup, flags.user, env)
    const { name, unit, variables } = service
    if (!hasOwnUnit(service)) {
      throw new RelayError('not_found', `There is no service ${name}: ${unit}.`, {
        hint: 'Name the setup of a phone. Services of the machine belong to root.',
      })
    }
    systemctl(service, [['disable', '--now', name]], env)
    await rm(unit, { force: true })
    if (args.setup !== undefined) await rm(variables, { force: true })
    systemctl(service, [['daemon-reload']], env)
    this.print({ unit: name, file: unit, removed: true }, () => `Removed the service ${name}.`)
  }
}
