import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { type ErrorEffect, findCodeByWords, findErrorRow, isNetworkCause } from './error-tables.js'

/** Why an AT command failed (3GPP TS 27.007 section 9, TS 27.005 section 3.2.5). */
export type AtFault =
  | { readonly by: 'sms' | 'equipment'; readonly code: number }
  | { readonly by: 'words'; readonly words: string }
  | { readonly by: 'silence' }
  | { readonly by: 'restart' }
  | { readonly by: 'line'; readonly reason: string }

export class AtError extends Error {
  override readonly name = 'AtError'
  readonly fault: AtFault
  /** Whether the modem had the text, so that it may have been sent without an answer. */
  readonly isTextSent: boolean

  constructor(fault: AtFault, isTextSent = false) {
    super(describeFault(fault))
    this.fault = fault
    this.isTextSent = isTextSent
  }
}

/** The error of a part that was not sent, or perhaps was. */
export function sendingError(error: AtError): DriverError {
  const effect = getEffect(error)
  const kind: DriverErrorKind = effect === 'busy' || effect === 'again' ? 'trouble' : effect
  return new DriverError(kind, error.message, { cause: error })
}

/**
 * What an error means for a part. Before the modem has the text, its own errors say nothing about
 * the text; afterwards the table decides, and what is not in it is `unknown`.
 */
export function getEffect({ fault, isTextSent }: AtError): ErrorEffect {
  const row = 'code' in fault ? findErrorRow(fault.by, fault.code) : undefined
  if (fault.by === 'restart' && !isTextSent) return 'again'
  if (isTextSent) return row?.effect ?? 'unknown'
  const isCertain = row?.effect === 'busy' || row?.effect === 'again' || isOfNetwork(fault)
  return (isCertain ? row?.effect : undefined) ?? 'trouble'
}

/** Whether an error is the modem's trouble with every text, and so never this text's fault. */
export function isModemTrouble(error: AtError): boolean {
  const { fault } = error
  const isOwn = 'code' in fault && !isOfNetwork(fault)
  return isOwn && ['trouble', 'busy', 'again'].includes(getEffect(error))
}

function isOfNetwork(fault: AtFault): boolean {
  return fault.by === 'sms' && isNetworkCause(fault.code)
}

export function isSimBusy(error: unknown): boolean {
  return error instanceof AtError && 'code' in error.fault && getEffect(error) === 'busy'
}

/** Reads the final result of a command that failed. */
export function parseFault(line: string): AtFault {
  const [, kind, words = ''] = /^\+CM([ES]) ERROR: ?(.*)$/.exec(line) ?? []
  if (kind === undefined) return { by: 'words', words: line }
  const by = kind === 'S' ? 'sms' : 'equipment'
  const code = /^\d+$/.test(words) ? Number(words) : findCodeByWords(by, words)
  return code === undefined ? { by: 'words', words: line } : { by, code }
}

function describeFault(fault: AtFault): string {
  if (fault.by === 'silence') return 'The modem did not answer in time.'
  if (fault.by === 'restart') return 'The modem restarted.'
  if (fault.by === 'line') return `The line to the modem was closed (${fault.reason}).`
  if (fault.by === 'words') return `The modem answered ${fault.words}.`
  const name = fault.by === 'sms' ? 'CMS' : 'CME'
  const meaning = findErrorRow(fault.by, fault.code)?.meaning
  const explanation = meaning === undefined ? '' : ` (${meaning})`
  return `The modem answered +${name} ERROR: ${fault.code}${explanation}.`
}
