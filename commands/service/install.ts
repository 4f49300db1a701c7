import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { boolean } from '@oclif/core/flags'
import { type ServeValues, serveFlags } from '../../src/cli/admin/serve-flags.js'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { findCertificateProblems } from '../../src/cli/config/certificate-problems.js'
import { loadSettings } from '../../src/cli/config/load-settings.js'
import { assertNoProblems } from '../../src/cli/config/setting-problems.js'
import { planPhoneService } from '../../src/cli/phone/setup/phone-service.js'
import type { Setup } from '../../src/cli/phone/setup/saved-setup.js'
import { applySetup, checkSetup } from '../../src/cli/phone/setup/setup-flags.js'
import type { ConnectionFlags } from '../../src/cli/profile/connection.js'
import { setupArgument, userFlag } from '../../src/cli/service/service-flags.js'
import {
  execSystemctl,
  formatUnit,
  installService,
  locateService,
  type Program,
  type Service,
  startSteps,
} from '../../src/cli/service/systemd.js'
import { RelayError } from '../../src/errors.js'
import { parseRelayConfig } from '../../src/server/config/relay-config.js'

type Env = Readonly<Record<string, string | undefined>>

/** The oldest systemd that opens its socket for notifications for a service (`OpenFile=`). */
const notifyVersion = 253
const stateDirectory = '/var/lib/smsrelay'
const bindLowPorts = [
  'AmbientCapabilities=CAP_NET_BIND_SERVICE',
  'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
]

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
  static override args = setupArgument
  static override flags = {
    ...userFlag,
    config: serveFlags.config,
    print: boolean({
      aliases: ['dry-run'],
      description: 'Print the unit and change nothing.',
      env: 'SMSRELAY_PRINT',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ServiceInstall)
    const { env } = this.io
    const service = locateService(args.setup, flags.user, env)
    const { program, variables } =
      args.setup === undefined
        ? { program: await this.#planRelay(service, flags), variables: undefined }
        : await this.#planPhone(service, args.setup, flags)
    const unit = formatUnit(service, program)
    const shown = { unit: service.name, file: service.unit }
    if (flags.print) return this.print({ ...shown, text: unit }, () => unit.trimEnd())
    const started = await installService(service, unit, variables, env)
    this.print({ ...shown, started }, () => `${started ? 'Started' : 'Wrote'}: ${service.unit}`)
    this.#printNotes(service, started)
  }

  /** Checks the configuration file before the relay reads it as a service. Throws `usage`. */
  async #planRelay(
    service: Service,
    flags: { readonly config?: string | undefined; readonly print: boolean },
  ): Promise<Program> {
    const config = flags.config === undefined ? undefined : resolve(flags.config)
    const parsed = { flags: { config }, metadata: { flags: {} }, raw: [] }
    // The variables of this shell are not those of the service.
    const loaded = await loadSettings<ServeValues>(parsed, { env: {} }, parseRelayConfig)
    const certificates = flags.print ? [] : await findCertificateProblems(loaded)
    assertNoProblems([...loaded.problems, ...certificates], config)
    const { data, port = 0, 'smtp-port': smtp = 0, 'metrics-port': metrics = 0 } = loaded.values
    const { isSystem } = service
    if (isSystem) await assertUsable(config, data)
    const isLow = [port, smtp, metrics].some(each => each > 0 && each < 1024)
    return {
      command: [...this.#program, 'serve', ...(config === undefined ? [] : [`--config=${config}`])],
      stopTime: 60,
      isConfined: true,
      lines: [
        ...(await formatNotifyLines(service, this.io.env)),
        // Damaged or many records can make a start long; they are no reason to begin again.
        'TimeoutStartSec=15min',
        'ExecReload=/bin/kill -HUP $MAINPID',
        // A restart does not fix wrong settings.
        'RestartPreventExitStatus=2',
        ...(isSystem ? ['PrivateDevices=yes', 'ProtectClock=yes'] : []),
        // A capability of the machine's network has no effect in a user namespace.
        ...(isSystem
          ? isLow
            ? bindLowPorts
            : ['CapabilityBoundingSet=', 'PrivateUsers=yes']
          : []),
      ],
    }
  }

  async #planPhone({ name, isSystem }: Service, setup: string, flags: ConnectionFlags) {
    const { env } = this.io
    const saved = await applySetup<Setup & { use: string }>({ flags: { use: setup }, raw: [] }, env)
    await checkSetup(saved, env)
    const connection = await this.resolveKeys({ profile: saved.profile, ...flags }, ['app'])
    const { variables, drivers } = await planPhoneService(saved, connection, env)
    const groups = await readFile('/etc/group', 'utf8').catch(() => '')
    const serial = ['dialout', 'uucp'].find(group => new RegExp(`^${group}:`, 'm').test(groups))
    const opensDevice = drivers.some(each => each === 'modem' || each === 'gammu')
    const isConfined = !drivers.includes('exec')
    const program = {
      command: [...this.#program, 'phone'],
      // A network may take a minute for a text.
      stopTime: 90,
      isConfined,
      lines: [
        'Type=exec',
        // A restart does not fix wrong settings (exit code 2) or wrong keys (4).
        'RestartPreventExitStatus=2 4',
        ...(isSystem ? [`Environment=SMSRELAY_JOURNAL_DIR=%S/${name}`] : []),
        ...(isSystem && opensDevice && serial ? [`SupplementaryGroups=${serial}`] : []),
        ...(isSystem && isConfined ? ['CapabilityBoundingSet='] : []),
      ],
    }
    return { program, variables }
  }

  get #program(): string[] {
    return [process.execPath, join(this.config.options.root, 'bin', 'run.js')]
  }

  #printNotes(service: Service, started: boolean): void {
    const user = service.isSystem ? '' : ' --user'
    if (!started) {
      this.printNote('systemd is not running here. To start the service, type:')
      for (const words of startSteps(service))
        this.printNote(`  systemctl${user} ${words.join(' ')}`)
    }
    this.printNote(`Log: journalctl${user} -u ${service.name} -f`)
    if (service.isSystem) return
    const { username } = userInfo()
    this.printNote(`To run it while you are signed out: sudo loginctl enable-linger ${username}`)
  }
}

async function formatNotifyLines(service: Service, env: Env): Promise<string[]> {
  const { stdout } = await execSystemctl(service, ['--version'], env)
  if (Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0) < notifyVersion) return ['Type=exec']
  const folder = service.isSystem ? '/run' : (env.XDG_RUNTIME_DIR ?? `/run/user/${userInfo().uid}`)
  // systemd replaces no specifiers, such as %t, in OpenFile=.
  return ['Type=notify', `OpenFile=${folder}/systemd/notify:notify`, 'WatchdogSec=60']
}

/** The dynamic user of a service has one directory, and reads what everybody can read. */
async function assertUsable(config: string | undefined, data = stateDirectory): Promise<void> {
  const isReadable = config === undefined || ((await stat(config)).mode & 0o004) !== 0
  if (isReadable && data === stateDirectory) return
  const message = isReadable
    ? `The service cannot use the data directory ${data}.`
    : `The user of the service cannot read ${config}.`
  throw new RelayError('usage', message, {
    hint: isReadable
      ? `Leave out data, which is then ${stateDirectory}, or write a unit from that of --print.`
      : 'chmod 644 it, and put secrets into /etc/smsrelay/serve.env.',
  })
}
