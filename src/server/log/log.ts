// What a relay logs, one event a line (docs/operate/logs.md).
// - log: what the relay's parts call, and the fields of an event
// - open-log: writes events as JSON with pino; format-log-text makes text of that for people
// - log-output: writes lines to stderr without waiting for its reader
// - request-log: gives each HTTP request its id and logs it
// - report-defect: logs an unexpected error without the numbers and secrets in its text

import type { LogLevel } from '../../domain/log-level.js'

/**
 * Fields of a log event. None ever holds a number, a text, a key, a token, a cookie, a query or a
 * secret URL.
 */
export interface LogFields {
  readonly request?: string
  /** Trace id of the request (W3C Trace Context, section 3.2.2.3). */
  readonly trace_id?: string
  readonly remote?: string
  readonly method?: string
  /** Template of the request's path, such as `/api/1/message/:id`. */
  readonly route?: string
  readonly status?: number
  readonly ms?: number
  readonly bytes?: number
  readonly account?: string
  readonly message?: string
  readonly subscription?: string
  readonly url?: string
  readonly dropped?: number
  readonly error?: LogError
}

export interface LogError {
  readonly code?: string
  readonly message?: string
  readonly stack?: string
}

export interface Log {
  readonly dropped?: number
  isEnabled(level: LogLevel): boolean
  /** Logs an event: its name, one sentence for people, and its fields. */
  write(level: LogLevel, event: string, message: string, fields?: LogFields): void
}

export const silentLog: Log = { isEnabled: () => false, write: () => {} }
