import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { RelayError } from '../../errors.js'
import { toOneLine } from '../terminal/terminal-text.js'

export type Env = Readonly<Record<string, string | undefined>>

/** A command that changes a service. */
export interface ServiceStep {
  readonly words: readonly string[]
  /** Whether the step may fail, because there may be nothing to do. @default false */
  readonly mayFail?: boolean
  /** A command that succeeds until the step has taken effect, which can be after its end. */
  readonly inProgress?: readonly string[]
}

/** Milliseconds between two looks at a step in progress, and the time that it may take. */
const lookInterval = 200
const patience = 120_000

export interface StepResult {
  readonly isMissing: boolean
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a step of a service until it has taken effect. Throws `configuration` with its error. */
export async function runStep(
  { words, mayFail = false, inProgress }: ServiceStep,
  env: Env,
): Promise<void> {
  const { status, stderr } = await execStep(words, env)
  if (status !== 0 && !mayFail) throw stepError(words, `failed (${status}): ${stderr}`)
  if (inProgress !== undefined) await waitForEffect(words, inProgress, env)
}

async function waitForEffect(
  words: readonly string[],
  inProgress: readonly string[],
  env: Env,
): Promise<void> {
  for (let waited = 0; (await execStep(inProgress, env)).status === 0; waited += lookInterval) {
    if (waited >= patience) throw stepError(words, 'has not taken effect yet')
    await sleep(lookInterval)
  }
}

function stepError(words: readonly string[], problem: string): RelayError {
  const message = `${words.join(' ')} ${toOneLine(problem).slice(0, 500)}`
  return new RelayError('configuration', message, { hint: 'Fix this and run the command again.' })
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
