/** A request that is refused before anything handles it; the connection closes after the reply. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  /** Seconds after which the client may try again. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export function timeoutError(): RequestError {
  return new RequestError(408, 'The request took too long to arrive.')
}

/** Seconds after which a client that the HTTP server refused for its limits may try again. */
const retryAfter = 5

export function tooBusyError(sentence: string): RequestError {
  return new RequestError(503, sentence, retryAfter)
}
