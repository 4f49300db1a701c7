import { execFile } from 'node:child_process'
import { RelayError } from '../../../errors.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import type { Scope } from './systemd-unit.js'

type Env = Readonly<Record<string, string | undefined>>

/** The arguments of systemctl that put a unit to work. */
export function getStartSteps(name: string, isNew: boolean): readonly (readonly string[])[] {
  const unit = `${name}.service`
  if (isNew) return [['daemon-reload'], ['enable', '--now', unit]]
  return [['daemon-reload'], ['enable', unit], ['restart', unit]]
}

/** A call of systemctl as a person types it. */
export function formatCommand(scope: Scope, args: readonly string[]): string {
  return ['systemctl', ...getScopeFlags(scope), ...args].join(' ')
}

/** Whether systemd is at work here, for the system or for this user. */
export async function isSystemdRunning(scope: Scope, env: Env): Promise<boolean> {
  const { missing, stdout } = await execSystemctl(scope, ['is-system-running'], env)
  return !missing && !['', 'offline', 'unknown'].includes(stdout.trim())
}

/** Calls systemctl. Throws `configuration` with what it said. */
export async function runSystemctl(scope: Scope, args: readonly string[], env: Env): Promise<void> {
  const { status, stderr } = await execSystemctl(scope, args, env)
  if (status === 0) return
  const said = toOneLine(stderr).slice(0, 500)
  throw new RelayError(
    'configuration',
    `${formatCommand(scope, args)} failed (${status}): ${said}`,
    {
      hint: 'See what stands in the way, and call it again.',
    },
  )
}

interface SystemctlResult {
  readonly missing: boolean
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

function execSystemctl(scope: Scope, args: readonly string[], env: Env): Promise<SystemctlResult> {
  return new Promise(resolve => {
    const words = [...getScopeFlags(scope), ...args]
    execFile('systemctl', words, { env: { ...env }, timeout: 120_000 }, (error, stdout, stderr) => {
      const missing = error?.code === ('ENOENT' as unknown)
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1
      resolve({ missing, status, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
}

function getScopeFlags(scope: Scope): readonly string[] {
  return scope === 'user' ? ['--user'] : []
}
