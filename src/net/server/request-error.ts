/** A request that is refused before anything handles it; the connection closes after the reply. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function timeoutError(): RequestError {
  return new RequestError(408, 'The request took too long to arrive.')
}
