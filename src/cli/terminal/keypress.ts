import { readFileSync } from 'node:fs'
import type { Input, Io } from './io.js'

type Terminal = Input & { setRawMode?(isRaw: boolean): unknown }

/**
 * Calls the action of each key pressed in the terminal, if stdin is one; Ctrl-C still interrupts.
 * The returned function restores the terminal and may be called twice.
 */
export function listenForKeys(
  { stdin, signals }: Pick<Io, 'stdin' | 'signals'>,
  actions: Readonly<Record<string, () => void>>,
): () => void {
  const terminal: Terminal = stdin
  if (terminal.isTTY !== true || terminal.setRawMode === undefined) return () => {}
  if (terminal === process.stdin && isInBackground()) return () => {}
  const onKeys = (keys: Buffer | string): void => {
    for (const key of String(keys)) {
      if (key === '\u0003') signals.emit('SIGINT')
      else if (Object.hasOwn(actions, key)) actions[key]?.()
    }
  }
  terminal.setRawMode(true)
  terminal.on('data', onKeys)
  terminal.resume()
  return () => {
    terminal.off('data', onKeys)
    terminal.setRawMode?.(false)
    terminal.pause()
  }
}

/**
 * Whether the command runs in the background: one that changes the terminal is stopped (SIGTTOU).
 * Linux only.
 */
function isInBackground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // In /proc/self/stat, after the name in parentheses: state, parent, process group, session,
    // terminal, and the foreground process group of the terminal (proc(5)).
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group !== foreground
  } catch {
    return false
  }
}
