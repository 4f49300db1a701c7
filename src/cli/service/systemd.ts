// A program of smsrelay as a unit of systemd: of the machine if root installs it, else of a user.
import { execFile } from 'node:child_process'
import { chmod, readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { getFailureReason, isMissingFile } from '../../util/files/file-error.js'
import { makeDirectory } from '../../util/files/make-directory.js'
import { getConfigDir } from '../profile/directories.js'
import { toOneLine } from '../terminal/terminal-text.js'

type Env = Readonly<Record<string, string | undefined>>

export interface Service {
  /** Name of the unit without `.service`. */
  readonly name: string
  readonly isSystem: boolean
  readonly unit: string
  /** File with environment variables, which only its owner can read. */
  readonly variables: string
}

export interface Program {
  readonly command: readonly string[]
  /** Seconds that the program has to stop. */
  readonly stopTime: number
  /** Whether systemd confines the program; one that runs programs of the user may need anything. */
  readonly isConfined: boolean
  /** Lines of the section `[Service]` that only this program has. */
  readonly lines: readonly string[]
}

const mark = '# Written by smsrelay; smsrelay service uninstall removes it.'

/** V8's compiler cannot run with MemoryDenyWriteExecute=. */
const confinement = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'SystemCallArchitectures=native',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
]

const systemConfinement = [
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'ProtectHostname=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectProc=invisible',
  'ProcSubset=pid',
  'RemoveIPC=yes',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
]

export function locateService(setup: string | undefined, isUser: boolean, env: Env): Service {
  const isSystem = !isUser && process.getuid?.() === 0
  const name = setup === undefined ? 'smsrelay' : `smsrelay-phone-${setup}`
  const variables = setup === undefined ? 'serve.env' : `phone-${setup}.env`
  const config = env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config')
  const units = isSystem ? '/etc/systemd/system' : join(config, 'systemd', 'user')
  const folder = isSystem ? '/etc/smsrelay' : getConfigDir(env)
  return {
    name,
    isSystem,
    unit: join(units, `${name}.service`),
    variables: join(folder, variables),
  }
}

export function formatUnit(service: Service, program: Program): string {
  const { name, isSystem, variables } = service
  const network = 'Wants=network-online.target\nAfter=network-online.target\n'
  return `${mark}
[Unit]
Description=${name.replaceAll('-', ' ')}
${isSystem ? network : ''}
[Service]
ExecStart=${program.command.map(quoteWord).join(' ')}
EnvironmentFile=-${variables.replaceAll('%', '%%')}
Restart=on-failure
RestartSec=10
KillMode=mixed
TimeoutStopSec=${program.stopTime}
UMask=0077
${[...(isSystem ? formatSystemLines(name) : []), ...program.lines].join('\n')}
${(program.isConfined ? [...confinement, ...(isSystem ? systemConfinement : [])] : []).join('\n')}

[Install]
WantedBy=${isSystem ? 'multi-user' : 'default'}.target
`
}

function formatSystemLines(name: string): string[] {
  return [
    'DynamicUser=yes',
    // Without libnss-systemd a dynamic user has no home directory, which Node asks for.
    'Environment=HOME=/',
    `StateDirectory=${name}`,
    'StateDirectoryMode=0700',
    `RuntimeDirectory=${name}`,
    `Environment=SMSRELAY_CONFIG_DIR=%S/${name}/profiles`,
  ]
}

/** Quotes a word of ExecStart= (systemd.service(5)). */
function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_./:=+@,~-]+$/.test(word)) return word
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return `"${escaped}"`
}

/** Formats an EnvironmentFile= (systemd.exec(5)); a value may have several lines. */
function formatVariables(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}="${value.replace(/[\\"`$]/g, '\\$&')}"\n`,
  )
  return [`${mark}\n`, ...lines].join('')
}

/**
 * Writes the files of a service, and starts or restarts it; false if systemd does not run here.
 * Throws `configuration`, also if another program wrote the unit, which then stays as it is.
 */
export async function installService(
  service: Service,
  unit: string,
  variables: Readonly<Record<string, string>> | undefined,
  env: Env,
): Promise<boolean> {
  await hasOwnUnit(service)
  try {
    if (variables !== undefined) {
      await makeDirectory(dirname(service.variables), 0o700)
      await writeFileAtomic(service.variables, formatVariables(variables))
    }
    await makeDirectory(dirname(service.unit), 0o755)
    await writeFileAtomic(service.unit, unit)
    await chmod(service.unit, 0o644)
  } catch (cause) {
    const message = `${service.unit} cannot be written (${getFailureReason(cause)}).`
    throw new RelayError('configuration', message, { cause })
  }
  if (!(await isRunning(service, env))) return false
  for (const words of startSteps(service)) await systemctl(service, words, env)
  return true
}

export function startSteps({ name }: Service): string[][] {
  return [['daemon-reload'], ['enable', name], ['restart', name]]
}

/** Stops a service and removes its files. Throws `not_found` and `configuration`. */
export async function uninstallService(service: Service, files: string[], env: Env) {
  const { name, unit } = service
  if (!(await hasOwnUnit(service))) {
    throw new RelayError('not_found', `There is no service ${name}: ${unit}.`, {
      hint: 'Name the setup of a phone. Services of the machine belong to root.',
    })
  }
  const runs = await isRunning(service, env)
  if (runs) await systemctl(service, ['disable', '--now', name], env)
  for (const file of [unit, ...files]) await rm(file, { force: true })
  if (runs) await systemctl(service, ['daemon-reload'], env)
}

async function hasOwnUnit({ unit }: Service): Promise<boolean> {
  const text = await readFile(unit, 'utf8').catch((error: unknown) => {
    if (!isMissingFile(error)) throw error
  })
  if (text === undefined || text.startsWith(mark)) return text !== undefined
  const message = `${unit} was not written by smsrelay, so it is not changed.`
  throw new RelayError('configuration', message, { hint: 'Move the file away.' })
}

async function isRunning(service: Service, env: Env): Promise<boolean> {
  const { stdout } = await execSystemctl(service, ['is-system-running'], env)
  return !['', 'offline', 'unknown'].includes(stdout.trim())
}

async function systemctl(service: Service, words: readonly string[], env: Env): Promise<void> {
  const { problem } = await execSystemctl(service, words, env)
  if (problem === undefined) return
  const message = `systemctl ${words.join(' ')} failed: ${toOneLine(problem).slice(0, 500)}`
  throw new RelayError('configuration', message, { hint: 'Fix this and run the command again.' })
}

/** Runs systemctl; never throws. */
export function execSystemctl({ isSystem }: Service, words: readonly string[], env: Env) {
  const args = [...(isSystem ? [] : ['--user']), ...words]
  return new Promise<{ problem: string | undefined; stdout: string }>(resolve => {
    execFile('systemctl', args, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ problem: error === null ? undefined : stderr || error.message, stdout })
    })
  })
}
