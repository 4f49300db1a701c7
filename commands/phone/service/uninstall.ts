import { useFlag } from '../../../src/cli/phone/phone-flags.js'
import { getPhoneServiceName } from '../../../src/cli/phone/service/phone-job.js'
import { ServiceCommand } from '../../../src/cli/service/run-service-command.js'
import { scopeFlags } from '../../../src/cli/service/scope-flags.js'

export default class PhoneServiceUninstall extends ServiceCommand {
  static override summary = 'Stop the phone that runs as a service, and remove the service.'
  static override description =
    'The message in progress is finished first. The journal stays, because it can hold results ' +
    'that the relay does not have yet.'
  static override examples = [
    {
      description: 'Remove the service of a saved setup.',
      command: '<%= config.bin %> phone service uninstall --use stick',
    },
    {
      description: 'Remove the service of the machine.',
      command: 'sudo <%= config.bin %> phone service uninstall --system',
    },
  ]
  static override flags = { ...scopeFlags, ...useFlag }

  async run(): Promise<void> {
    const { flags } = await this.parse(PhoneServiceUninstall)
    await this.uninstall(flags, getPhoneServiceName(flags.use))
  }
}
