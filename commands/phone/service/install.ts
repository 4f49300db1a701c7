import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../../src/cli/command/api-command.js'
import { driverFlags, runningFlags, useFlag } from '../../../src/cli/phone/phone-flags.js'
import { parseScope, scopeFlags } from '../../../src/cli/phone/service/scope-flags.js'
import {
  formatEnvironment,
  hasOwnFile,
  removeOwnFile,
  writeOwnFile,
} from '../../../src/cli/phone/service/service-files.js'
import { planService, type ServicePlan } from '../../../src/cli/phone/service/service-plan.js'
import {
  formatCommand,
  getStartSteps,
  isSystemdRunning,
  runSystemctl,
} from '../../../src/cli/phone/service/systemctl.js'
import { formatUnit, type Scope } from '../../../src/cli/phone/service/systemd-unit.js'
import {
  applySetup,
  checkSetup,
  type ParsedFlags,
  toSetup,
} from '../../../src/cli/phone/setup/setup-flags.js'
import type { ConnectionFlags } from '../../../src/cli/profile/connection.js'

export default class PhoneServiceInstall extends ApiCommand {
  static override summary = 'Write a systemd unit that runs the phone, and start it.'
  static override description =
    'Takes the flags of `phone`. Keys and secrets go into a file that only its owner can read. ' +
    'A previous unit is replaced, but never a file of another program.'
  static override examples = [
    {
      description: 'Install a service of your user with a saved setup.',
      command: '<%= config.bin %> phone service install --use stick',
    },
    {
      description: 'Install a service of the machine.',
      command:
        'sudo <%= config.bin %> phone service install --system --driver modem ' +
        '--option device=/dev/ttyUSB2',
    },
    {
      description: 'Print the unit and change nothing.',
      command: '<%= config.bin %> phone service install --use stick --print',
    },
  ]
  static override flags = {
    ...scopeFlags,
    'run-as': string({
      description: 'With --system: user that runs the phone.',
      env: 'SMSRELAY_RUN_AS',
      defaultHelp: async () => 'a dynamic user',
      helpValue: 'USER',
    }),
    print: boolean({
      aliases: ['dry-run'],
      description: 'Print the unit and change nothing.',
      env: 'SMSRELAY_PRINT',
    }),
    ...driverFlags,
    ...runningFlags,
    ...useFlag,
  }

  async run(): Promise<void> {
    const parsed = await this.parse(PhoneServiceInstall)
    const { env } = this.io
    const { print, use, 'run-as': runAs } = parsed.flags
    const scope = parseScope(parsed.flags)
    const setup = await applySetup(parsed, env)
    await checkSetup(setup, env)
    const plan = await planService({
      scope,
      use,
      runAs,
      env,
      setup,
      typed: getTypedFlags(parsed),
      connection: await this.#getConnection(setup, parsed.flags, scope),
      program: [process.execPath, join(this.config.options.root, 'bin', 'run.js')],
      groups: await readFile('/etc/group', 'utf8').catch(() => ''),
    })
    const { files, unit, environment } = plan
    const shown = { unit: unit.name, scope, file: files.unit, variables: Object.keys(environment) }
    const text = formatUnit(unit)
    if (print) return this.print({ ...shown, text }, () => text.trimEnd())
    const isNew = await writeServiceFiles(plan, text)
    const started = await this.#start(scope, unit.name, isNew)
    this.print({ ...shown, started }, () => `${started ? 'Started' : 'Wrote'}: ${files.unit}`)
    this.#printAdvice(plan)
  }

  /** A user service reads the keys of a saved profile when it starts. */
  async #getConnection(all: ConnectionFlags, typed: ConnectionFlags, scope: Scope) {
    const connection = await this.resolveKeys(all, ['app'])
    const keys = [typed.url, typed['secret-key'], typed['app-key']]
    const isSaved = keys.every(each => each === undefined)
    return scope === 'user' && isSaved ? undefined : connection
  }

  async #start(scope: Scope, name: string, isNew: boolean): Promise<boolean> {
    const steps = getStartSteps(name, isNew)
    if (await isSystemdRunning(scope, this.io.env)) {
      for (const step of steps) await runSystemctl(scope, step, this.io.env)
      return true
    }
    this.printNote('systemd is not running here. To start the service, type:')
    for (const step of steps) this.printNote(`  ${formatCommand(scope, step)}`)
    return false
  }

  #printAdvice({ unit: { name, scope, groups, command } }: ServicePlan): void {
    const user = scope === 'user' ? ' --user' : ''
    this.printNote(`Log: journalctl${user} -u ${name} -f`)
    this.printNote(`State: systemctl${user} status ${name}`)
    if (scope === 'system') {
      if (command.slice(0, 2).some(path => /^\/(home|root)\//.test(path))) {
        this.printNote('The program is in a home directory: the service may need --run-as.')
      }
      return
    }
    const { username } = userInfo()
    this.printNote(`To run it while you are signed out: sudo loginctl enable-linger ${username}`)
    const [group] = groups
    if (group !== undefined) {
      const command = `sudo usermod -aG ${group} ${username}`
      this.printNote(`To open the serial device: ${command}, then sign in again.`)
    }
  }
}

/** Flags from the environment are left out, because the service reads its environment. */
function getTypedFlags({ flags, raw }: ParsedFlags<Record<string, unknown>>) {
  const names = new Set(raw.map(each => (each.type === 'flag' ? each.flag : '')))
  return toSetup(Object.fromEntries(Object.entries(flags).filter(([name]) => names.has(name))))
}

/** Returns whether the unit is new. */
async function writeServiceFiles(
  { files, environment }: ServicePlan,
  text: string,
): Promise<boolean> {
  const isNew = !(await hasOwnFile(files.unit))
  await hasOwnFile(files.environment)
  if (Object.keys(environment).length === 0) await removeOwnFile(files.environment)
  else await writeOwnFile(files.environment, formatEnvironment(environment))
  await writeOwnFile(files.unit, text)
  return isNew
}
