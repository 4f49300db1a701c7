import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { useFlag } from '../../../src/cli/phone/phone-flags.js'
import { getPhoneServiceName } from '../../../src/cli/phone/service/phone-job.js'
import { findManager } from '../../../src/cli/service/find-manager.js'
import { runStatus } from '../../../src/cli/service/run-service-command.js'
import { parseScope, scopeFlags } from '../../../src/cli/service/scope-flags.js'
import { exitCodes } from '../../../src/cli/terminal/exit-codes.js'

export default class PhoneServiceStatus extends BaseCommand {
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
    const place = { scope: parseScope(flags), name: getPhoneServiceName(flags.use) }
    const { value, text, isActive } = await runStatus(place, findManager(), this.io.env)
    this.print(value, () => text)
    if (!isActive) this.setExitCode(exitCodes.warning)
  }
}
