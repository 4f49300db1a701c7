import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { type ServeValues, serveFlags } from '../../../src/cli/admin/serve-flags.js'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { findCertificateProblems } from '../../../src/cli/config/certificate-problems.js'
import { loadSettings } from '../../../src/cli/config/load-settings.js'
import { assertNoProblems } from '../../../src/cli/config/setting-problems.js'
import { getConfigDir } from '../../../src/cli/profile/directories.js'
import { findManager } from '../../../src/cli/service/find-manager.js'
import { planRelayService, type RelayServiceSettings } from '../../../src/cli/service/relay-job.js'
import { formatLingerNote, runInstall } from '../../../src/cli/service/run-service-command.js'
import { installFlags, parseScope } from '../../../src/cli/service/scope-flags.js'
import type { Scope } from '../../../src/cli/service/service-job.js'
import type { ServiceManager } from '../../../src/cli/service/service-manager.js'
import { getSystemdVersion, notifyVersion } from '../../../src/cli/service/systemd.js'
import { RelayError } from '../../../src/errors.js'
import { parseRelayConfig } from '../../../src/server/config/relay-config.js'

export default class ServeServiceInstall extends BaseCommand {
  static override summary = 'Run the relay as a service, and start it.'
  static override description =
    'Writes a systemd unit, on macOS a launchd job. The relay reads its settings from the ' +
    'configuration file, which is checked first; without one it has the default settings. ' +
    'A service of the machine keeps its records in /var/lib/smsrelay. A previous service is ' +
    'replaced, but never a file of another program.'
  static override examples = [
    {
      description: 'Install a service of the machine.',
      command: 'sudo <%= config.bin %> serve service install --config /etc/smsrelay.toml',
    },
    {
      description: 'Install a service of your user.',
      command: '<%= config.bin %> serve service install --user',
    },
    {
      description: 'Print the unit and change nothing.',
      command: '<%= config.bin %> serve service install --system --print',
    },
  ]
  static override flags = { ...installFlags, config: serveFlags.config }

  async run(): Promise<void> {
    const { flags } = await this.parse(ServeServiceInstall)
    const { print, 'run-as': runAs } = flags
    const { env } = this.io
    const scope = parseScope(flags)
    const manager = findManager()
    const config = flags.config === undefined ? undefined : resolve(flags.config)
    const settings = await readServiceSettings(config, print)
    if (manager.kind === 'systemd' && scope === 'system' && runAs === undefined) {
      await assertReadable(config, settings.files)
    }
    const job = planRelayService({
      ...{ scope, runAs, config, settings, env },
      program: [process.execPath, join(this.config.options.root, 'bin', 'run.js')],
      secretFile: getSecretFile(scope, env),
      notifySocket: await findNotifySocket(manager, scope, env),
    })
    const { value, text, notes } = await runInstall(job, manager, { env, print })
    this.print(value, () => text)
    for (const note of notes) this.printNote(note)
    if (print || manager.kind !== 'systemd') return
    if (scope === 'user') this.printNote(formatLingerNote(userInfo().username))
  }
}

/** Reads and checks a configuration file; certificates only if not `print`. Throws `usage`. */
async function readServiceSettings(
  config: string | undefined,
  print: boolean,
): Promise<RelayServiceSettings> {
  const parsed = { flags: { config }, metadata: { flags: {} }, raw: [] }
  // The variables of this shell are not those of the service.
  const loaded = await loadSettings<ServeValues>(parsed, { env: {} }, parseRelayConfig)
  const { values, problems } = loaded
  const certificates = print ? [] : await findCertificateProblems(loaded)
  assertNoProblems([...problems, ...certificates], config)
  const { port = 8080, data } = values
  const ports = [port, values['smtp-port'] ?? 0, values['metrics-port'] ?? 0]
  const files = ['tls-cert', 'tls-key', 'smtp-cert', 'smtp-key'] as const
  return { ports, data, files: files.flatMap(name => values[name] ?? []) }
}

/** The dynamic user of a system unit is neither the owner of a file nor in its group. */
async function assertReadable(config: string | undefined, files: readonly string[]): Promise<void> {
  const secrets = getSecretFile('system', {})
  const settingsHint = `chmod 644 it and put secrets into ${secrets}, or use --run-as.`
  const fileHint = 'Name a user that may read it with --run-as.'
  for (const file of [...(config === undefined ? [] : [config]), ...files]) {
    const found = await stat(file).catch(() => undefined)
    if (found === undefined || (found.mode & 0o004) !== 0) continue
    throw new RelayError('usage', `The user of the service cannot read ${file}.`, {
      hint: file === config ? settingsHint : fileHint,
    })
  }
}

function getSecretFile(scope: Scope, env: Readonly<Record<string, string | undefined>>): string {
  return join(scope === 'system' ? '/etc/smsrelay' : getConfigDir(env), 'serve.env')
}

async function findNotifySocket(
  { kind }: ServiceManager,
  scope: Scope,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (kind !== 'systemd' || ((await getSystemdVersion(env)) ?? 0) < notifyVersion) return undefined
  if (scope === 'system') return '/run/systemd/notify'
  return join(env.XDG_RUNTIME_DIR ?? `/run/user/${userInfo().uid}`, 'systemd/notify')
}
