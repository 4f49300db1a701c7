import { execFile } from 'node:child_process'
import { RelayError } from '../../../errors.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import type { Scope } from './systemd-unit.js'

type Env = Readonly<Record<string, string | undefined>>

interface SystemctlResult {
  readonly isMissing: boolean
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export function getStartSteps(name: string, isNew: boolean): readonly (readonly string[])[] {
  const unit = `${name}.service`
  if (isNew) return [['daemon-reload'], ['enable', '--now', unit]]
  return [['daemon-reload'], ['enable', unit], ['restart', unit]]
}

export function formatCommand(scope: Scope, args: readonly string[]): string {
  return ['systemctl', ...getScopeFlags(scope), ...args].join(' ')
}

export async function isSystemdRunning(scope: Scope, env: Env): Promise<boolean> {
  const { isMissing, stdout } = await execSystemctl(scope, ['is-system-running'], env)
  return !isMissing && !['', 'offline', 'unknown'].includes(stdout.trim())
}

/** Runs systemctl. Throws `configuration` with its error output. */
export async function runSystemctl(scope: Scope, args: readonly string[], env: Env): Promise<void> {
  const { status, stderr } = await execSystemctl(scope, args, env)
  if (status === 0) return
  const output = toOneLine(stderr).slice(0, 500)
  const message = `${formatCommand(scope, args)} failed (${status}): ${output}`
  throw new RelayError('configuration', message, { hint: 'Fix this and run the command again.' })
}

function execSystemctl(scope: Scope, args: readonly string[], env: Env): Promise<SystemctlResult> {
  return new Promise(resolve => {
    const words = [...getScopeFlags(scope), ...args]
    execFile('systemctl', words, { env: { ...env }, timeout: 120_000 }, (error, stdout, stderr) => {
      const isMissing = error?.code === ('ENOENT' as unknown)
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1
      resolve({ isMissing, status, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
}

function getScopeFlags(scope: Scope): readonly string[] {
  return scope === 'user' ? ['--user'] : []
}
