/** What clients may take of an HTTP server. Times in milliseconds. */
export interface ConnectionLimits {
  /**
   * Longest time of an HTTP connection from a request's first byte, or from the connection, to the
   * end of the request's head.
   */
  readonly headTimeout: number
  /** From the head of a request on, its body has this time and that of {@link bodyRate}. */
  readonly bodyTimeout: number
  /** The longest time of a body of any length: the rate that it needs rises with its length. */
  readonly bodyTime: number
  /** Bytes of an HTTP request's body for which it has another second. */
  readonly bodyRate: number
  /** Longest that a connection stays open without an HTTP request. */
  readonly idleTimeout: number
  readonly replyTimeout: number
  /** For an HTTP connection with an event stream: time between two comments without events. */
  readonly heartbeat: number
  /** HTTP connections at once; more get 503. */
  readonly connections: number
  /** The same for each client address: an IPv4 address or the /64 of an IPv6 address. */
  readonly connectionsPerAddress: number
  /** Bytes of all HTTP replies that clients have not read; then the slowest are disconnected. */
  readonly unread: number
  /**
   * Bytes of all request bodies that have not arrived in full; then those that began first are
   * refused.
   */
  readonly unfinished: number
  /** The same for each account and for each client address. */
  readonly unfinishedPerHolder: number
  /** Bytes of an HTTP request's head. */
  readonly head: number
}

/**
 * Default limits of HTTP connections. The idle time of a proxy in front is best shorter: 60 s is
 * usual.
 */
export const connectionLimits: ConnectionLimits = {
  headTimeout: 10_000,
  bodyTimeout: 10_000,
  bodyTime: 60_000,
  bodyRate: 1024,
  idleTimeout: 75_000,
  replyTimeout: 60_000,
  heartbeat: 15_000,
  connections: 10_000,
  connectionsPerAddress: 1000,
  unread: 128 * 1024 * 1024,
  unfinished: 64 * 1024 * 1024,
  unfinishedPerHolder: 16 * 1024 * 1024,
  head: 16 * 1024,
}
