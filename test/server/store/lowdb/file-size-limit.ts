import { spawnSync } from 'node:child_process'

const tool = 'prlimit'

/** Whether this machine can limit how far a process may write its files. */
export const canLimitFiles = spawnSync(tool, ['--version']).status === 0

/** Lets this process write no file further than `bytes`, as if the disk were full there. */
export function limitFiles(bytes: number | 'unlimited'): void {
  ignoreSignal()
  const { status } = spawnSync(tool, [`--pid=${process.pid}`, `--fsize=${bytes}:`])
  if (status !== 0) throw new Error(`${tool} failed.`)
}

let ignored = false

/** Without a listener the system ends a process that writes too far; with one, the write fails. */
function ignoreSignal(): void {
  if (!ignored) process.on('SIGXFSZ', () => {})
  ignored = true
}
