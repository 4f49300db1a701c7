import type { Writable } from 'node:stream'
import { pino } from 'pino'
import type { LogFormat, LogLevel } from '../../domain/log-level.js'
import type { Clock } from '../../util/async/clock.js'
import { formatLogText } from './format-log-text.js'
import type { Log } from './log.js'
import { LogOutput } from './log-output.js'

export interface LogOptions {
  readonly stream: Writable & { readonly fd?: number; readonly isTTY?: boolean | undefined }
  readonly level: LogLevel
  readonly format: LogFormat
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

export interface OpenLog extends Log {
  readonly isText: boolean
  readonly dropped: number
  setLevel(level: LogLevel): void
  /** Writes the rest of the log, for at most a second; later events are ignored. */
  [Symbol.asyncDispose](): Promise<void>
}

export function openLog({ stream, level, format, clock }: LogOptions): OpenLog {
  const isText = format === 'text' || (format === 'auto' && stream.isTTY === true)
  const onDropped = (dropped: number): void => {
    const message = `${dropped} lines are missing: the reader of the log was too slow.`
    logger.warn({ event: 'log_dropped', dropped }, message)
  }
  const output = stream.fd === undefined ? undefined : new LogOutput(stream.fd, clock, onDropped)
  const write = (line: string): void => {
    const text = isText ? formatLogText(JSON.parse(line)) : line
    if (output === undefined) stream.write(text)
    else output.write(text)
  }
  const timestamp = (): string => `,"time":"${new Date(clock.now()).toISOString()}"`
  const formatters = { level: (label: string) => ({ level: label }) }
  const logger = pino({ level, base: null, timestamp, formatters }, { write })
  return {
    isText,
    get dropped() {
      return output?.dropped ?? 0
    },
    isEnabled: wanted => logger.isLevelEnabled(wanted),
    write: (at, event, message, fields) => logger[at]({ event, ...fields }, message),
    setLevel: wanted => {
      logger.level = wanted
    },
    [Symbol.asyncDispose]: async () => await output?.close(),
  }
}
