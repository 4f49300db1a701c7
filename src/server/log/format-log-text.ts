import type { LogLevel } from '../../domain/log-level.js'
import type { LogFields } from './log.js'

export interface LogLine extends LogFields {
  readonly level: LogLevel
  /** Time of the log event in ISO 8601, UTC. */
  readonly time: string
  readonly event: string
  readonly msg: string
}

/** Formats a line of the log for people: time, level, sentence, other fields as `name=value`. */
export function formatLogText(line: LogLine): string {
  const { level, time, event, msg, method: _, route: __, status: ___, error, ...fields } = line
  const { code, message, stack } = error ?? {}
  const named = Object.entries({ ...fields, error: message ?? code }).map(([name, value]) =>
    value === undefined ? '' : ` ${name}=${formatValue(value)}`,
  )
  const lines = [`${time} ${level.padEnd(5)} ${msg}${named.join('')}`]
  if (stack !== undefined) lines.push(...stack.split('\n').map(each => `    ${each}`))
  return lines.map(each => `${toOneLine(each)}\n`).join('')
}

function formatValue(value: unknown): string {
  const text = String(value)
  return /^[\w.:/-]+$/.test(text) ? text : JSON.stringify(text)
}

function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}
