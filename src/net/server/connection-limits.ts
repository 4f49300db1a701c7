/** What one client may take of a server's connections. Times in milliseconds. */
export interface ConnectionLimits {
  /**
   * Longest from a request's first byte, or from the connection, to the end of the request's head.
   */
  readonly headTimeout: number
  /** Longest from a request's first byte to the end of its body. */
  readonly requestTimeout: number
  /** Longest that a connection stays open without an HTTP request. */
  readonly idleTimeout: number
  readonly replyTimeout: number
  /** Time between two comments on an event stream without events. */
  readonly heartbeat: number
  /** HTTP connections at once; more are closed as they come. */
  readonly connections: number
  /** Bytes of a request's head. */
  readonly head: number
}

/**
 * Default limits of HTTP connections. The idle time of a proxy in front is best shorter: 60 s is
 * usual.
 */
export const connectionLimits: ConnectionLimits = {
  headTimeout: 15_000,
  requestTimeout: 60_000,
  idleTimeout: 65_000,
  replyTimeout: 60_000,
  heartbeat: 15_000,
  connections: 2048,
  head: 16 * 1024,
}
