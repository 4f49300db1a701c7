import type { Io } from '../../terminal/io.js'

export interface LiveViewFlags {
  readonly json?: boolean | undefined
  readonly plain?: boolean | undefined
  readonly once?: boolean | undefined
}

/** Whether to show the terminal's live view: a person looks at a terminal that can draw it. */
export function shouldShowLiveView(
  { json, plain, once }: LiveViewFlags,
  { stdout, env }: Io,
): boolean {
  if (json === true || plain === true || once === true) return false
  if (stdout.isTTY !== true || env.TERM === 'dumb') return false
  // Some terminals do not know their size, which the live view needs.
  if (!stdout.columns || !stdout.rows) return false
  return env.CI === undefined || ['', '0', 'false'].includes(env.CI)
}
