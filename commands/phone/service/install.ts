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
import { applySetup, checkSetup, toSetup } from '../../../src/cli/phone/setup/setup-flags.js'
import { type ConnectionFlags, resolveConnection } from '../../../src/cli/profile/connection.js'

export default class PhoneServiceInstall extends ApiCommand {
  static override summary = 'Write a systemd unit that runs the phone, and start it.'
  static override description =
    'Takes the flags of phone. Keys, passwords and PINs, and the variables the driver reads, go into a file beside the ' +
    'unit that only its owner may read. A service of yours finds keys and setups where you saved them; one of the machine ' +
    'gets a copy of them. What was installed before is replaced; a file that somebody else wrote is not.'
  static override examples = [
    '<%= config.bin %> phone service install --use stick',
    'sudo <%= config.bin %> phone service install --system --driver modem --option device=/dev/ttyUSB2',
    '<%= config.bin %> phone service install --use stick --print',
  ]
  static override flags = {
    ...scopeFlags,
    'run-as': string({
      description: 'With --system: the user it runs as. [default: one of its own]',
      helpValue: 'USER',
    }),
    print: boolean({
      aliases: ['dry-run'],
      description: 'Print the unit, and write and start nothing.',
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
    const flags = await applySetup(parsed, env)
    await checkSetup(flags, env)
    const plan = await planService({
      ...{ scope, use, runAs, env, setup: flags, typed: getTypedFlags(parsed) },
      connection: await this.#connection(flags, parsed.flags, scope),
      program: [process.execPath, join(this.config.options.root, 'bin', 'run.js')],
      groups: await readFile('/etc/group', 'utf8').catch(() => ''),
    })
    const { files, unit, environment } = plan
    const shown = { unit: unit.name, scope, file: files.unit, variables: Object.keys(environment) }
    const text = formatUnit(unit)
    if (print) return this.print({ ...shown, text }, () => text.trimEnd())
    const isNew = await writeServiceFiles(plan, text)
    const started = await this.#start(scope, unit.name, isNew)
    this.print({ ...shown, started }, () => `${started ? 'Runs' : 'Wrote'}: ${files.unit}`)
    this.#advise(plan)
  }

  /** Keys that a saved profile has stay there for a service of the same user. */
  async #connection(all: ConnectionFlags, given: ConnectionFlags, scope: Scope) {
    const connection = await resolveConnection(all, this.io.env, ['app'])
    const saved = [given.url, given['secret-key'], given['app-key']].every(
      each => each === undefined,
    )
    return scope === 'user' && saved ? undefined : connection
  }

  async #start(scope: Scope, name: string, isNew: boolean): Promise<boolean> {
    const steps = getStartSteps(name, isNew)
    if (await isSystemdRunning(scope, this.io.env)) {
      for (const step of steps) await runSystemctl(scope, step, this.io.env)
      return true
    }
    this.printNote('systemd is not running here. Where it is, type:')
    for (const step of steps) this.printNote(`  ${formatCommand(scope, step)}`)
    return false
  }

  #advise({ unit: { name, scope, groups, command } }: ServicePlan): void {
    const mine = scope === 'user' ? ' --user' : ''
    this.printNote(`Its log: journalctl${mine} -u ${name} -f`)
    this.printNote(`Its state: systemctl${mine} status ${name}`)
    if (scope === 'system') {
      if (command.slice(0, 2).some(path => /^\/(home|root)\//.test(path))) {
        this.printNote(
          'The program lies in a home directory: its user may need --run-as to read it.',
        )
      }
      return
    }
    const { username } = userInfo()
    this.printNote(
      `To have it run while you are not signed in: sudo loginctl enable-linger ${username}`,
    )
    const [group] = groups
    if (group !== undefined) {
      this.printNote(
        `It opens a serial device: sudo usermod -aG ${group} ${username}, then sign in again.`,
      )
    }
  }
}

/** What was typed, without what the environment says: that is looked at anew when the service starts. */
function getTypedFlags(parsed: {
  readonly flags: Record<string, unknown>
  readonly raw: readonly (
    | { readonly type: 'arg' }
    | { readonly type: 'flag'; readonly flag: string }
  )[]
}) {
  const names = new Set(parsed.raw.map(each => (each.type === 'flag' ? each.flag : '')))
  const entries = Object.entries(parsed.flags).filter(([name]) => names.has(name))
  return toSetup(Object.fromEntries(entries))
}

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
