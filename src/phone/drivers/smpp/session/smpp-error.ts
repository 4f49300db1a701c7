import { DriverError } from '../../../driver-port/driver.js'
import { describeStatus, getStatusKind, isThrottling } from '../pdu/smpp-status.js'

type SmppFailure =
  | { readonly by: 'status'; readonly status: number }
  | { readonly by: 'nack'; readonly status: number }
  | { readonly by: 'silence' }
  | { readonly by: 'connection'; readonly reason: string; readonly isSent: boolean }
  | { readonly by: 'stop' }

export class SmppError extends Error {
  override readonly name = 'SmppError'
  readonly failure: SmppFailure
  readonly command: string

  constructor(failure: SmppFailure, command: string) {
    super(describeFailure(failure, command))
    this.failure = failure
    this.command = command
  }
}

/** Milliseconds before the next try of an SMPP account that the SMSC throttles. */
const throttleDelay = 2000

/** The meaning of a failed submit_sm for its message. */
export function submitError(error: SmppError): DriverError {
  const { failure, message } = error
  const cause = { cause: error }
  if (failure.by === 'connection' && !failure.isSent) {
    return new DriverError('trouble', message, cause)
  }
  if (failure.by !== 'status' && failure.by !== 'nack') {
    return new DriverError('unknown', message, cause)
  }
  const wait = isThrottling(failure.status) ? { wait: throttleDelay } : {}
  return new DriverError(getStatusKind(failure.status), message, { ...cause, ...wait })
}

/** The status with which the SMSC refused a submit_sm; undefined for other errors. */
export function getSubmitStatus(error: unknown): number | undefined {
  const cause = error instanceof DriverError ? error.cause : error
  if (!(cause instanceof SmppError)) return undefined
  const { failure } = cause
  return failure.by === 'status' || failure.by === 'nack' ? failure.status : undefined
}

function describeFailure(failure: SmppFailure, command: string): string {
  if (failure.by === 'status') return `The SMSC answered ${describeStatus(failure.status)}.`
  if (failure.by === 'nack') {
    return `The SMSC answered ${command} with generic_nack (${describeStatus(failure.status)}).`
  }
  if (failure.by === 'silence') return `The SMSC did not answer ${command} in time.`
  if (failure.by === 'stop') return 'Stopped before the SMSC had answered.'
  return failure.isSent
    ? `The connection to the SMSC was lost before it had answered (${failure.reason}).`
    : `The connection to the SMSC is closed (${failure.reason}).`
}
