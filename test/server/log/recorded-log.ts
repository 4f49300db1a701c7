import type { LogLevel } from '../../../src/domain/log-level.js'
import type { Log, LogFields } from '../../../src/server/log/log.js'

export interface LogEvent extends LogFields {
  readonly level: LogLevel
  readonly event: string
  readonly msg: string
}

/** A log that keeps its events, those of the level debug too. */
export function recordLog(): Log & { readonly events: LogEvent[] } {
  const events: LogEvent[] = []
  return {
    events,
    isEnabled: () => true,
    write: (level, event, msg, fields) => void events.push({ level, event, msg, ...fields }),
  }
}
