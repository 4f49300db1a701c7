import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { useFlag } from '../../../src/cli/phone/phone-flags.js'
import { parseScope, scopeFlags } from '../../../src/cli/phone/service/scope-flags.js'
import {
  getServiceFiles,
  getUnitName,
  hasOwnFile,
  removeOwnFile,
} from '../../../src/cli/phone/service/service-files.js'
import { isSystemdRunning, runSystemctl } from '../../../src/cli/phone/service/systemctl.js'
import { RelayError } from '../../../src/errors.js'

export default class PhoneServiceUninstall extends BaseCommand {
  static override summary = 'Stop the phone that runs as a service, and remove its unit.'
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
    const { env } = this.io
    const scope = parseScope(flags)
    const name = getUnitName(flags.use)
    const files = getServiceFiles(scope, name, env)
    if (!(await hasOwnFile(files.unit))) {
      throw new RelayError('not_found', `There is no ${scope} service ${name}: ${files.unit}.`, {
        hint: 'Name its setup with --use, or try --system or --user.',
      })
    }
    const isRunning = await isSystemdRunning(scope, env)
    if (isRunning) await runSystemctl(scope, ['disable', '--now', `${name}.service`], env)
    await removeOwnFile(files.unit)
    await removeOwnFile(files.environment)
    if (isRunning) await runSystemctl(scope, ['daemon-reload'], env)
    this.print({ unit: name, scope, removed: true }, () => `Removed the service ${name}.`)
  }
}
