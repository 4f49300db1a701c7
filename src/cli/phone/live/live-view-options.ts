import type { Io } from '../../terminal/io.js'

export interface LiveViewFlags {
  readonly json?: boolean | undefined
  readonly plain?: boolean | undefined
  readonly once?: boolean | undefined
}

/** Whether a person looks at a terminal that can draw the live view. */
export function shouldShowLiveView(
  { json, plain, once }: LiveViewFlags,
  { stdout, env }: Io,
): boolean {
  if (json === true || plain === true || once === true) return false
  if (stdout.isTTY !== true || env.TERM === 'dumb') return false
  // Some terminals do not know their size.
  if (!stdout.columns || !stdout.rows) return false
  return env.CI === undefined || ['', '0', 'false'].includes(env.CI)
}
