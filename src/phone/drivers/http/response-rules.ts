import { STATUS_CODES } from 'node:http'
import type { Answer } from '../../../net/client/exchange.js'
import { retryAfter } from '../../../net/client/retry-after.js'
import { DriverError, type DriverReceipt } from '../../driver-port/driver.js'
import type { HttpSettings } from './http-driver-settings.js'
import { valueAt } from './json-path.js'
import { type Verdict, verdictOf } from './status-rules.js'

type Rules = Pick<HttpSettings, 'success' | 'parts' | 'meanings' | 'unsure'>

/** Longest wait that a service may ask for, in milliseconds. */
const longestWait = 15 * 60_000

/** Where services put the sentence that says what was wrong. */
const errorPaths = ['message', 'error.message', 'error', 'errors[0].message', 'detail', 'title']

/** Makes a receipt of an answer, or throws what it means. `now` is in milliseconds since the epoch. */
export function judge(host: string, answer: Answer, rules: Rules, now: number): DriverReceipt {
  const { status, body } = answer
  const json = body === undefined ? undefined : parsed(body)
  const verdict = verdictOf(status, rules.meanings, rules.unsure)
  if (verdict !== 'sent') throw refused(host, answer, json, verdict, now)
  if (status >= 200 && status < 300 && rules.success !== undefined) {
    confirm(host, status, json, rules.success, rules.unsure)
  }
  return rules.parts === undefined ? {} : partsIn(valueAt(json, rules.parts))
}

function refused(
  host: string,
  { status, headers }: Answer,
  json: unknown,
  kind: Exclude<Verdict, 'sent'>,
  now: number,
): DriverError {
  const said = errorPaths.map(path => valueAt(json, path)).find(each => typeof each === 'string')
  const what = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const sentence = typeof said === 'string' && said !== '' ? `${what}: ${said}` : `${what}.`
  const wait = kind === 'trouble' ? waitIn(headers['retry-after'], now) : 0
  return new DriverError(kind, [sentence, ...adviceFor(status)].join(' '), { wait })
}

function adviceFor(status: number): string[] {
  if (status === 401 || status === 403)
    return ['Check the user, the password or the key it is given.']
  if (status === 404 || status === 405) return ['Check the url and the method.']
  if (status >= 300 && status < 400)
    return ['Redirects are not followed: put the new address into url.']
  return []
}

/** A 2xx counts when the answer says what it has to say. */
function confirm(
  host: string,
  status: number,
  json: unknown,
  { path, value }: NonNullable<Rules['success']>,
  unsure: Rules['unsure'],
): void {
  const found = valueAt(json, path)
  const there = found !== undefined && found !== null && found !== false
  if (value === undefined ? there : String(found) === value) return
  const what =
    there || found === false ? `with ${path} ${JSON.stringify(found)}` : `without ${path}`
  throw new DriverError(
    there || found === false ? 'retry' : unsure,
    `${host} answered ${status}, but ${what}.`,
  )
}

function partsIn(found: unknown): DriverReceipt {
  const parts = typeof found === 'string' || typeof found === 'number' ? Number(found) : 0
  return Number.isInteger(parts) && parts >= 1 && parts <= 255 ? { parts } : {}
}

/** Seconds or a date (RFC 9110 section 10.2.3), in milliseconds from now. */
function waitIn(header: string | undefined, now: number): number {
  return Math.min(retryAfter(header, now) ?? 0, longestWait)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
