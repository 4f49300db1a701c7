import type { Io } from '../../terminal/io.js'

/** What keeps the live view away although a terminal is there. */
export interface LiveViewFlags {
  readonly json?: boolean | undefined
  readonly plain?: boolean | undefined
  readonly once?: boolean | undefined
}

/** Whether the phone is watched by a person: on a terminal that can move its cursor, and not by a program. */
export function shouldShowLiveView(
  { json, plain, once }: LiveViewFlags,
  { stdout, env }: Io,
): boolean {
  if (json === true || plain === true || once === true) return false
  if (stdout.isTTY !== true || env.TERM === 'dumb') return false
  // Some terminals do not know their size; nothing can be drawn in place there.
  if (!stdout.columns || !stdout.rows) return false
  return env.CI === undefined || ['', '0', 'false'].includes(env.CI)
}

/** Whether colours are wanted (no-color.org). */
export function shouldUseColor(env: Io['env']): boolean {
  return env.NO_COLOR === undefined || env.NO_COLOR === ''
}
