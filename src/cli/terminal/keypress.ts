import { readFileSync } from 'node:fs'
import type { Input, Io } from './io.js'

/** A terminal that can hand on keys as they are pressed. */
type Terminal = Input & { setRawMode?(isRaw: boolean): unknown }

/**
 * Calls what belongs to a key while a person sits at the terminal; Ctrl-C stays what it is. The returned function
 * gives the terminal back, and may be called twice.
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

/** Whether the terminal belongs to other processes now: to touch it would stop this one (SIGTTOU). Known on Linux alone. */
function isInBackground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // Behind the name in brackets: state, parent, process group, session, terminal, its process group (proc(5)).
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group !== foreground
  } catch {
    return false
  }
}
