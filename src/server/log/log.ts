// What a relay logs:
// - log: what the relay's parts call, and the fields of an event
// - request-log: one event for each HTTP request, and its id
//
// No event has a number, a text or a secret.

/** Level of a log's event; each includes those after it: debug, info, warn, error. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/**
 * Fields of a log event. None ever holds a number, a text, a key, a token, a cookie, a query or a
 * secret URL.
 */
export interface LogFields {
  /** Id of the HTTP request that the event belongs to. */
  readonly request?: string
  /** Trace id of the request (W3C Trace Context, section 3.2.2.3). */
  readonly trace_id?: string
  /** IP address of the client. */
  readonly remote?: string
  readonly method?: string
  /** Template of the request's path, such as `/api/1/message/:id`. */
  readonly route?: string
  readonly status?: number
  /** Duration in milliseconds. */
  readonly ms?: number
  /** Bytes of the reply's body. */
  readonly bytes?: number
  /** Identifier of the account. */
  readonly account?: string
  /** Identifier of the message. */
  readonly message?: string
  /** Identifier of the subscription. */
  readonly subscription?: string
  /** Address that the relay listens on. */
  readonly url?: string
  /** Number of lines that the log left out. */
  readonly dropped?: number
  readonly error?: LogError
}

/** An error in a log event. */
export interface LogError {
  readonly code?: string
  readonly message?: string
  readonly stack?: string
}

/** Receives what a relay logs. */
export interface Log {
  isEnabled(level: LogLevel): boolean
  /** Logs an event: its name, one sentence for people, and its fields. */
  write(level: LogLevel, event: string, message: string, fields?: LogFields): void
}

export const silentLog: Log = { isEnabled: () => false, write: () => {} }
