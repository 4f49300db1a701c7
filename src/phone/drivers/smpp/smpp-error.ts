import { DriverError } from '../../driver-port/driver.js'
import { describeStatus, getStatusKind, isThrottling } from './smpp-status.js'

/** How a request to an SMSC came to nothing. */
export type SmppFailure =
  | { readonly by: 'status'; readonly status: number }
  /** No answer in time. */
  | { readonly by: 'silence' }
  /** The line was lost, before or after the request was handed over. */
  | { readonly by: 'line'; readonly reason: string; readonly handedOver: boolean }
  /** Whoever asked has given up. */
  | { readonly by: 'stop' }

/** A request that was not answered with success. */
export class SmppError extends Error {
  override readonly name = 'SmppFault'
  readonly fault: SmppFailure
  readonly command: string

  constructor(fault: SmppFailure, command: string) {
    super(describeFailure(fault, command))
    this.fault = fault
    this.command = command
  }
}

/** Milliseconds a throttled account is left alone. */
const throttleDelay = 2000

/** What a fault of a submit_sm means for the message. */
export function submitError(error: SmppError): DriverError {
  const { fault, message } = error
  const cause = { cause: error }
  if (fault.by === 'line' && !fault.handedOver) return new DriverError('trouble', message, cause)
  if (fault.by !== 'status') return new DriverError('unknown', message, cause)
  const wait = isThrottling(fault.status) ? { wait: throttleDelay } : {}
  return new DriverError(getStatusKind(fault.status), message, { ...cause, ...wait })
}

function describeFailure(fault: SmppFailure, command: string): string {
  if (fault.by === 'status') return `The SMSC answered ${describeStatus(fault.status)}.`
  if (fault.by === 'silence') return `The SMSC did not answer ${command} in time.`
  if (fault.by === 'stop') return 'Stopped before the SMSC had answered.'
  return fault.handedOver
    ? `The line to the SMSC was lost before it had answered (${fault.reason}).`
    : `The line to the SMSC is closed (${fault.reason}).`
}
