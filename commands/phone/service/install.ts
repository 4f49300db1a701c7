import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ApiCommand } from '../../../src/cli/command/api-command.js'
import { driverFlags, runningFlags, useFlag } from '../../../src/cli/phone/phone-flags.js'
import { type PhonePlan, planPhoneService } from '../../../src/cli/phone/service/phone-job.js'
import {
  applySetup,
  checkSetup,
  type ParsedFlags,
  toSetup,
} from '../../../src/cli/phone/setup/setup-flags.js'
import type { ConnectionFlags } from '../../../src/cli/profile/connection.js'
import { findManager } from '../../../src/cli/service/find-manager.js'
import { formatLingerNote, runInstall } from '../../../src/cli/service/run-service-command.js'
import { installFlags, parseScope } from '../../../src/cli/service/scope-flags.js'
import type { Scope } from '../../../src/cli/service/service-job.js'

export default class PhoneServiceInstall extends ApiCommand {
  static override summary = 'Run the phone as a service, and start it.'
  static override description =
    'Writes a systemd unit, on macOS a launchd job. Takes the flags of `phone`. Keys and secrets ' +
    'go into a file that only its owner can read. ' +
    'A previous service is replaced, but never a file of another program.'
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
    ...installFlags,
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
    const manager = findManager()
    const plan = await planPhoneService({
      ...{ scope, use, runAs, env, setup },
      typed: getTypedFlags(parsed),
      connection: await this.#getConnection(setup, parsed.flags, scope),
      program: [process.execPath, join(this.config.options.root, 'bin', 'run.js')],
      groups: await readFile('/etc/group', 'utf8').catch(() => ''),
    })
    const { value, text, notes } = await runInstall(plan.job, manager, { env, print })
    this.print(value, () => text)
    for (const note of notes) this.printNote(note)
    const needsUser = !print && scope === 'user' && manager.kind === 'systemd'
    if (needsUser) this.#printUserNotes(plan)
  }

  /** A user service reads the keys of a saved profile when it starts. */
  async #getConnection(all: ConnectionFlags, typed: ConnectionFlags, scope: Scope) {
    const connection = await this.resolveKeys(all, ['app'])
    const keys = [typed.url, typed['secret-key'], typed['app-key']]
    const isSaved = keys.every(each => each === undefined)
    return scope === 'user' && isSaved ? undefined : connection
  }

  #printUserNotes({ groups: [group] }: PhonePlan): void {
    const { username } = userInfo()
    this.printNote(formatLingerNote(username))
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
