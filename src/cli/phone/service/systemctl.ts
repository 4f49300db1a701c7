import { execFile } from 'node:child_process'
import { RelayError } from '../../../errors.js'
import { oneLine } from '../../terminal/terminal-text.js'
import type { Scope } from './systemd-unit.js'

type Env = Readonly<Record<string, string | undefined>>

/** The arguments of systemctl that put a unit to work. */
export function startSteps(name: string, isNew: boolean): readonly (readonly string[])[] {
  const unit = `${name}.service`
  if (isNew) return [['daemon-reload'], ['enable', '--now', unit]]
  return [['daemon-reload'], ['enable', unit], ['restart', unit]]
}

/** A call of systemctl as a person types it. */
export function typed(scope: Scope, args: readonly string[]): string {
  return ['systemctl', ...scopeFlag(scope), ...args].join(' ')
}

/** Whether systemd is at work here, for the system or for this user. */
export async function isSystemdRunning(scope: Scope, env: Env): Promise<boolean> {
  const { missing, stdout } = await run(scope, ['is-system-running'], env)
  return !missing && !['', 'offline', 'unknown'].includes(stdout.trim())
}

/** Calls systemctl. Throws `configuration` with what it said. */
export async function systemctl(scope: Scope, args: readonly string[], env: Env): Promise<void> {
  const { status, stderr } = await run(scope, args, env)
  if (status === 0) return
  const said = oneLine(stderr).slice(0, 500)
  throw new RelayError('configuration', `${typed(scope, args)} failed (${status}): ${said}`, {
    hint: 'See what stands in the way, and call it again.',
  })
}

interface Ended {
  readonly missing: boolean
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

function run(scope: Scope, args: readonly string[], env: Env): Promise<Ended> {
  return new Promise(resolve => {
    const words = [...scopeFlag(scope), ...args]
    execFile('systemctl', words, { env: { ...env }, timeout: 120_000 }, (error, stdout, stderr) => {
      const missing = error?.code === ('ENOENT' as unknown)
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1
      resolve({ missing, status, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
}

function scopeFlag(scope: Scope): readonly string[] {
  return scope === 'user' ? ['--user'] : []
}
