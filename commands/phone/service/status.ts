import { useFlag } from '../../../src/cli/phone/phone-flags.js'
import { getPhoneServiceName } from '../../../src/cli/phone/service/phone-job.js'
import { ServiceCommand } from '../../../src/cli/service/run-service-command.js'
import { scopeFlags } from '../../../src/cli/service/scope-flags.js'

export default class PhoneServiceStatus extends ServiceCommand {
  static override summary = 'Show whether the phone runs as a service.'
  static override description =
    'Prints its state, process, file and the command that shows its log. ' +
    'The exit code is 6 if the service does not run.'
  static override examples = [
    {
      description: 'Show the service of a saved setup.',
      command: '<%= config.bin %> phone service status --use stick',
    },
    {
      description: 'Show the service of the machine.',
      command: '<%= config.bin %> phone service status --system',
    },
  ]
  static override flags = { ...scopeFlags, ...useFlag }

  async run(): Promise<void> {
    const { flags } = await this.parse(PhoneServiceStatus)
    await this.printStatus(flags, getPhoneServiceName(flags.use))
  }
}
