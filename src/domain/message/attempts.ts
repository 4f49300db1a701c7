import { appendLine } from '../../util/text/append-line.js'
import { limits } from '../limits.js'
import type { Message } from './message.js'

export const attemptOutcomes = ['sent', 'failed', 'unknown'] as const

export interface LeaseEnd {
  readonly at: number
  readonly beganAt?: number | undefined
  readonly phone?: string | undefined
}

export interface Attempt extends LeaseEnd {
  readonly outcome: (typeof attemptOutcomes)[number]
  /** Why the attempt failed, in the words of the phone's driver. */
  readonly error?: string
}

export interface FailedAttempt extends Attempt {
  readonly outcome: 'failed' | 'unknown'
  readonly error: string
}

export const noReportError = 'The lease ended without a report from the phone.'

/** All failures of a message, and as many leases that ended without a report. */
const maxStoredAttempts = 10
const maxReleases = 5

const letters = { failed: 'f', unknown: 'u' } as const
const attemptLine = /^(\d+) ([fu]) ([^\t\n]*)\t(.*)\t(\d*)$/s
const sentLine = /(?<=^|\n)\d+$/
const releaseLine = /^(\d+) (\d*) (.*)$/

export const attemptsPattern =
  /^\d+ [fu] [^\t\n]*\t[^\n]*\t\d*(?:\n\d+ [fu] [^\t\n]*\t[^\n]*\t\d*)*$/

export const leasesPattern = /^(?:\d+ \d* [^\n]*\n)*(?:\d+|\d+ \d* [^\n]*)$/

/**
 * Adds a failed attempt to what a message stores of its attempts: the last ten, and of each error
 * the first 200 characters in one line.
 */
export function addAttempt(
  { attempts }: Pick<Message, 'attempts'>,
  { at, beganAt, outcome, phone = '', error }: FailedAttempt,
): string {
  const words = error.slice(0, limits.attemptError).toWellFormed().replaceAll('\n', ' ')
  const line = `${at} ${letters[outcome]} ${phone}\t${words}\t${formatDuration(beganAt, at)}`
  return appendLine(attempts, line, maxStoredAttempts)
}

/** Adds a lease that the phone released, which is no attempt; the last five are stored. */
export function addRelease(
  { leases }: Pick<Message, 'leases'>,
  { at, beganAt, phone = '' }: LeaseEnd,
): string {
  return appendLine(leases, `${at} ${formatDuration(beganAt, at)} ${phone}`, maxReleases)
}

/** Adds the lease in which the message was sent, if its begin is known. */
export function addSuccess(
  { leases }: Pick<Message, 'leases'>,
  { at, beganAt }: LeaseEnd,
): string | undefined {
  if (beganAt === undefined) return leases
  const line = formatDuration(beganAt, at)
  return leases === undefined ? line : `${leases}\n${line}`
}

/**
 * Lists the last attempts of a message, the oldest first. That of the success follows from the
 * state of the message.
 */
export function listAttempts(message: Message): Attempt[] {
  const { attempts, leases = '', status, statusAt: at, phone } = message
  const listed = attempts === undefined ? [] : attempts.split('\n').map(parseAttempt)
  if (status !== 'S') return listed
  const [duration] = sentLine.exec(leases) ?? []
  return [...listed, { at, beganAt: findBegin(at, duration), outcome: 'sent', phone }]
}

/** Lists the last leases of a message that ended because the phone released it. */
export function listReleases({ leases = '' }: Pick<Message, 'leases'>): LeaseEnd[] {
  return leases.split('\n').flatMap(line => {
    const [, time, duration, phone = ''] = releaseLine.exec(line) ?? []
    if (time === undefined) return []
    const at = Number(time)
    return [{ at, beganAt: findBegin(at, duration), phone: phone === '' ? undefined : phone }]
  })
}

function parseAttempt(text: string): Attempt {
  const [, time, letter, phone = '', error = '', duration] = attemptLine.exec(text) ?? []
  const at = Number(time)
  return {
    at,
    beganAt: findBegin(at, duration),
    outcome: letter === letters.unknown ? 'unknown' : 'failed',
    phone: phone === '' ? undefined : phone,
    error,
  }
}

/** Milliseconds; empty if the begin is not known. */
function formatDuration(beganAt: number | undefined, at: number): string {
  return beganAt === undefined ? '' : `${at - beganAt}`
}

function findBegin(at: number, duration = ''): number | undefined {
  return duration === '' ? undefined : at - Number(duration)
}
