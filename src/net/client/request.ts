/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds one attempt may take. */
  readonly timeout: number
  /** How often it may be tried again, after a lost connection and a passing status. */
  readonly retries: number
  readonly signal?: AbortSignal | undefined
}

/** A reply as it came over the wire, whatever its status. */
export interface WireReply {
  readonly status: number
  readonly text: string
  /** The header field Retry-After (RFC 9110 section 10.2.3). */
  readonly retryAfter?: string | undefined
}

/** Sends one request. Throws {@link NoReplyInTime}, or whatever kept the reply away. */
export type Requester = (request: WireRequest) => Promise<WireReply>

/** Thrown when a request took longer than its timeout; such a request is not tried again. */
export class RequestTimeout extends Error {
  override readonly name = 'NoReplyInTime'
}

/** Statuses that pass: of a relay that starts again, or of the proxy in front of it. */
export const transientStatuses: readonly number[] = [502, 503, 504]
