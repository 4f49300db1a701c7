import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface RunningProgram {
  /** Lines of stdout and stderr. */
  readonly lines: readonly string[]
  /** Waits for a line that matches, also one that was printed before. */
  waitForLine(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>
}

/** Starts a program that ends with the test. */
export function startProgram(program: string, args: readonly string[]): RunningProgram {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false
  const wake = () => {
    for (const each of waiting) each()
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) throw new Error(`${program} has no output.`)
    createInterface(stream).on('line', line => {
      lines.push(line)
      wake()
    })
  }
  const ended = new Promise<void>(resolve => {
    child.once('close', () => {
      hasEnded = true
      resolve()
      wake()
    })
  })
  const stop = async () => {
    child.kill()
    await ended
  }
  onTestFinished(stop)
  const waitForLine = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      for (const line of lines) {
        const found = pattern.exec(line)
        if (found !== null) return found
      }
      if (hasEnded) throw new Error(`${program} ended: ${lines.slice(-5).join('\n')}`)
      await new Promise<void>(resolve => {
        const next = () => {
          waiting.delete(next)
          resolve()
        }
        waiting.add(next)
      })
    }
  }
  return { lines, waitForLine, stop }
}
