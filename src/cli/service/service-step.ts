import { execFile } from 'node:child_process'
import { RelayError } from '../../errors.js'
import { toOneLine } from '../terminal/terminal-text.js'

export type Env = Readonly<Record<string, string | undefined>>

/** A command that changes a service. */
export interface ServiceStep {
  readonly words: readonly string[]
  /** Whether the step may fail, because there may be nothing to do. @default false */
  readonly mayFail?: boolean
}

export interface StepResult {
  readonly isMissing: boolean
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a step of a service. Throws `configuration` with its error output. */
export async function runStep({ words, mayFail = false }: ServiceStep, env: Env): Promise<void> {
  const { status, stderr } = await execStep(words, env)
  if (status === 0 || mayFail) return
  const output = toOneLine(stderr).slice(0, 500)
  const message = `${words.join(' ')} failed (${status}): ${output}`
  throw new RelayError('configuration', message, { hint: 'Fix this and run the command again.' })
}

/** Runs a command of a service manager; never throws. */
export function execStep([file = '', ...args]: readonly string[], env: Env): Promise<StepResult> {
  return new Promise(resolve => {
    execFile(file, args, { env: { ...env }, timeout: 120_000 }, (error, stdout, stderr) => {
      const isMissing = error?.code === ('ENOENT' as unknown)
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1
      resolve({ isMissing, status, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
}
