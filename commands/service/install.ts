import { chmod, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { findCertificateProblems, readSettings } from '../../src/cli/config/read-settings.js'
import { toTextFlag } from '../../src/cli/config/setting-flags.js'
import { assertNoProblems } from '../../src/cli/config/settings-view.js'
import { readSetup } from '../../src/cli/phone/setup/saved-setup.js'
import { listSetupDrivers, listSetupVariables } from '../../src/cli/phone/setup/setup-flags.js'
import type { ConnectionFlags } from '../../src/cli/profile/connection.js'
import { getConfigDir } from '../../src/cli/profile/directories.js'
import * as systemd from '../../src/cli/service/systemd.js'
import { RelayError } from '../../src/errors.js'
import { settings } from '../../src/settings/settings.js'
import { writeFileAtomic } from '../../src/util/files/atomic-write.js'
import { getFailureReason } from '../../src/util/files/file-error.js'
import { makeDirectory } from '../../src/util/files/make-directory.js'

const bindLowPorts =
  'AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE'

export default class ServiceInstall extends ApiCommand {
  static override summary = 'Run the relay, or a phone, as a service of systemd, and start it.'
  static override description =
    'Without a setup the service is the relay, with the settings of --config and the variables ' +
    'of serve.env. With one it is that phone; its setup and keys are copied to a file that only ' +
    'its owner can read. Root installs a service of the machine. systemctl status shows the rest.'
  static override examples = [
    {
      description: 'Install the relay on this machine.',
      command: 'sudo <%= config.bin %> service install --config /etc/smsrelay.toml',
    },
    { description: 'Install a phone.', command: '<%= config.bin %> service install stick' },
    {
      description: 'Print the unit and change nothing.',
      command: '<%= config.bin %> service install --print',
    },
  ]
  static override args = {
    setup: string({
      description: 'Setup of `phone setup`; without one, the service is the relay.',
    }),
  }
  static override flags = {
    user: boolean({
      description: 'Use a service of your user, as for everybody but root.',
      env: 'SMSRELAY_USER',
    }),
    config: toTextFlag('config', settings.config),
    print: boolean({
      aliases: ['dry-run'],
      description: 'Print the unit and change nothing.',
      env: 'SMSRELAY_PRINT',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ServiceInstall)
    const service = systemd.locateService(args.setup, flags.user, this.io.env)
    const { name, isSystem, unit: file, variables } = service
    const program =
      args.setup === undefined
        ? await this.#planRelay(service, flags)
        : await this.#planPhone(service, args.setup, flags)
    const command = [process.execPath, join(this.config.options.root, 'bin', 'run.js')]
    const unit = systemd.formatUnit(service, [...command, ...program.words], program.lines)
    if (flags.print) return this.print({ unit: name, file, text: unit }, () => unit.trimEnd())
    systemd.hasOwnUnit(service)
    try {
      if (program.values !== undefined) {
        await makeDirectory(dirname(variables), 0o700)
        await writeFileAtomic(variables, systemd.formatVariables(program.values))
      }
      await makeDirectory(dirname(file), 0o755)
      await writeFileAtomic(file, unit)
      await chmod(file, 0o644)
    } catch (cause) {
      const message = `${file} cannot be written (${getFailureReason(cause)}).`
      throw new RelayError('configuration', message, { cause })
    }
    const steps = [['daemon-reload'], ['enable', name], ['restart', name]]
    const started = systemd.systemctl(service, steps, this.io.env)
    const user = isSystem ? '' : ' --user'
    this.print({ unit: name, file, started }, () => `${started ? 'Started' : 'Wrote'}: ${file}`)
    if (!started) {
      this.printNote('systemd is not running here. To start the service, type:')
      for (const words of steps) this.printNote(`  systemctl${user} ${words.join(' ')}`)
    }
    this.printNote(`Log: journalctl${user} -u ${name} -f`)
    if (isSystem) return
    const owner = this.io.env.USER || process.getuid?.()
    this.printNote(`To run it while you are signed out: sudo loginctl enable-linger ${owner}`)
  }

  /** Checks the configuration file before the relay reads it as a service. Throws `usage`. */
  async #planRelay(service: systemd.Service, flags: { config?: string; print: boolean }) {
    const config = flags.config === undefined ? undefined : resolve(flags.config)
    const parsed = { flags: { config }, metadata: { flags: {} }, raw: [] }
    // The variables of this shell are not those of the service.
    const loaded = await readSettings(parsed, { ...this.io, env: {} })
    const certificates = flags.print ? [] : await findCertificateProblems(loaded)
    assertNoProblems([...loaded.problems, ...certificates], config)
    const { data, port = 0, smtpPort: smtp = 0, metricsPort: metrics = 0 } = loaded.values
    if (service.isSystem) await assertUsable(config, data)
    const isLow = [port, smtp, metrics].some(each => each > 0 && each < 1024)
    const reload = 'ExecReload=/bin/kill -HUP $MAINPID'
    const lines = [...this.#formatType(service), reload, ...systemd.confine(service)]
    // A capability of the machine's network has no effect in a user namespace.
    const users = isLow ? bindLowPorts : 'PrivateUsers=yes'
    if (service.isSystem) lines.push('PrivateDevices=yes', 'ProtectClock=yes', users)
    return {
      words: ['serve', ...(config === undefined ? [] : [`--config=${config}`])],
      lines,
      values: undefined,
    }
  }

  /** From systemd 253 on, the relay gets its socket for notifications. */
  #formatType(service: systemd.Service): string[] {
    const { stdout } = systemd.runSystemctl(service, ['--version'], this.io.env)
    if (Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0) < 253) return ['Type=exec']
    // systemd replaces no specifiers, such as %t, in OpenFile=.
    const user = this.io.env.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`
    const socket = `${service.isSystem ? '/run' : user}/systemd/notify`
    return ['Type=notify', `OpenFile=${socket}:notify`, 'WatchdogSec=60']
  }

  async #planPhone(service: systemd.Service, setup: string, flags: ConnectionFlags) {
    const { env } = this.io
    const saved = await readSetup(setup, getConfigDir(env))
    const drivers = new Set(listSetupDrivers(saved).map(({ kind }) => kind))
    if (drivers.has('termux')) {
      throw new RelayError('usage', 'Termux has no systemd.', {
        hint: 'Install the app Termux:Boot, and put the command into ~/.termux/boot.',
      })
    }
    const values = await listSetupVariables(saved, env)
    const connection = { profile: saved.profile, ...flags }
    const { url, credentials } = await this.resolveKeys(connection, ['app'])
    const keys = { SMSRELAY_SECRET_KEY: credentials.user, SMSRELAY_APP_KEY: credentials.password }
    const lines = ['Type=exec']
    if (service.isSystem && (drivers.has('modem') || drivers.has('gammu'))) {
      const groups = await readFile('/etc/group', 'utf8').catch(() => '')
      const serial = /^(?:dialout|uucp)(?=:)/m.exec(groups)
      if (serial !== null) lines.push(`SupplementaryGroups=${serial}`)
    }
    // The driver `exec` runs a program of the user, which may need anything.
    if (!drivers.has('exec')) lines.push(...systemd.confine(service))
    return { words: ['phone'], lines, values: { ...values, SMSRELAY_URL: url, ...keys } }
  }
}

/** The dynamic user of a service has one directory, and reads what everybody can read. */
async function assertUsable(config: string | undefined, data = '/var/lib/smsrelay') {
  if (config !== undefined && ((await stat(config)).mode & 0o004) === 0) {
    throw new RelayError('usage', `The user of the service cannot read ${config}.`, {
      hint: 'chmod 644 it, and put secrets into /etc/smsrelay/serve.env.',
    })
  }
  if (data === '/var/lib/smsrelay') return
  throw new RelayError('usage', `The service cannot use the data directory ${data}.`, {
    hint: 'Leave out data, which is then /var/lib/smsrelay, or write a unit from that of --print.',
  })
}
