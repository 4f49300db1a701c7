// A program of smsrelay as a unit of systemd: of the machine if root installs it, else of a user.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { getConfigDir } from '../profile/directories.js'
import type { Io } from '../terminal/io.js'
import { toOneLine } from '../terminal/terminal-text.js'

export type Service = ReturnType<typeof locateService>

const mark = '# Written by smsrelay; smsrelay service uninstall removes it.'

/** Files and name of a unit; `variables` is its EnvironmentFile=, which only its owner can read. */
export function locateService(setup: string | undefined, isUser: boolean, env: Io['env']) {
  const isSystem = !isUser && process.getuid?.() === 0
  const name = setup === undefined ? 'smsrelay' : `smsrelay-phone-${setup}`
  const config = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  const units = isSystem ? '/etc/systemd/system' : join(config, 'systemd', 'user')
  const folder = isSystem ? '/etc/smsrelay' : getConfigDir(env)
  const variables = join(folder, setup === undefined ? 'serve.env' : `phone-${setup}.env`)
  return { name, isSystem, unit: join(units, `${name}.service`), variables }
}

/** Formats a unit, with the lines that only its program has. */
export function formatUnit(service: Service, command: string[], lines: string[]): string {
  return `${mark}
[Unit]
Description=${service.name.replaceAll('-', ' ')}
${service.isSystem ? 'Wants=network-online.target\nAfter=network-online.target\n' : ''}
[Service]
ExecStart=${command.map(quoteWord).join(' ')}
EnvironmentFile=-${service.variables.replaceAll('%', '%%')}
Restart=on-failure
RestartSec=10
# A restart does not fix wrong settings (2) or wrong keys (4).
RestartPreventExitStatus=2 4
TimeoutStartSec=15min
TimeoutStopSec=90
KillMode=mixed
UMask=0077
${service.isSystem ? `${systemUser.replaceAll('NAME', service.name)}\n` : ''}${lines.join('\n')}

[Install]
WantedBy=${service.isSystem ? 'multi-user' : 'default'}.target
`
}

const systemUser = `DynamicUser=yes
StateDirectory=NAME
StateDirectoryMode=0700
RuntimeDirectory=NAME
Environment=HOME=%S/NAME`

/** V8's compiler cannot run with MemoryDenyWriteExecute=. */
export function confine({ isSystem }: Service): string[] {
  const user = `${enable('NoNewPrivileges LockPersonality RestrictRealtime RestrictSUIDSGID')}
${enable('RestrictNamespaces')}
SystemCallArchitectures=native
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK`
  const system = `${enable('PrivateTmp RemoveIPC ProtectHostname ProtectControlGroups')}
${enable('ProtectKernelTunables ProtectKernelModules ProtectKernelLogs')}
ProtectSystem=strict
ProtectHome=read-only
ProtectProc=invisible
ProcSubset=pid
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
CapabilityBoundingSet=`
  return isSystem ? [user, system] : [user]
}

function enable(names: string): string {
  return names.replaceAll(/\w+/g, '$&=yes').replaceAll(' ', '\n')
}

/** Quotes a word of ExecStart= (systemd.service(5)). */
function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_./:=+@,~-]+$/.test(word)) return word
  return `"${word.replace(/[\\"]/g, '\\$&').replace(/[%$]/g, '$&$&')}"`
}

/** Formats an EnvironmentFile= (systemd.exec(5)); a value may have several lines. */
export function formatVariables(values: Readonly<Record<string, string>>): string {
  const quote = (value: string) => `"${value.replace(/[\\"`$]/g, '\\$&')}"`
  return [
    mark,
    ...Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`),
    '',
  ].join('\n')
}

/** Whether there is a unit. Throws `configuration` if another program wrote it. */
export function hasOwnUnit({ unit }: Service): boolean {
  if (!existsSync(unit)) return false
  if (readFileSync(unit, 'utf8').startsWith(mark)) return true
  const message = `${unit} was not written by smsrelay, so it is not changed.`
  throw new RelayError('configuration', message, { hint: 'Move the file away.' })
}

/** Runs commands of systemctl; false, and none of them, if systemd does not run here. */
export function systemctl(service: Service, commands: string[][], env: Io['env']): boolean {
  const state = runSystemctl(service, ['is-system-running'], env).stdout
  if (['', 'offline', 'unknown'].includes(state)) return false
  for (const words of commands) {
    const { problem } = runSystemctl(service, words, env)
    if (problem === undefined) continue
    const message = `systemctl ${words.join(' ')} failed: ${toOneLine(problem).slice(0, 500)}`
    throw new RelayError('configuration', message, { hint: 'Fix this and run the command again.' })
  }
  return true
}

export function runSystemctl({ isSystem }: Service, words: readonly string[], env: Io['env']) {
  const args = [...(isSystem ? [] : ['--user']), ...words]
  const options = { env, encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr, error } = spawnSync('systemctl', args, options)
  const problem = status === 0 ? undefined : stderr || (error?.message ?? `exit code ${status}`)
  return { stdout: (stdout ?? '').trim(), problem }
}
