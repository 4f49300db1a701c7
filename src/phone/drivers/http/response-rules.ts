import { STATUS_CODES } from 'node:http'
import { parseRetryAfter } from '../../../net/client/retry-after.js'
import { parseJson } from '../../../util/text/parse-json.js'
import { DriverError, type DriverReceipt } from '../../driver-port/driver.js'
import type { HttpSettings } from './http-driver-settings.js'
import type { ServiceReply } from './service-request.js'
import { interpretStatus, type StatusMeaning } from './status-rules.js'

type ResponseRules = Pick<HttpSettings, 'success' | 'parts' | 'meanings' | 'unsure'>

/** Milliseconds. */
const maxWait = 15 * 60_000

/** Paths of error texts in the JSON replies of SMS services. */
const errorPaths = ['message', 'error.message', 'error', 'errors[0].message', 'detail', 'title']

/**
 * Turns an SMS service's reply into a receipt. Throws {@link DriverError} if the text was not sent
 * or may not have been. `now` is in milliseconds since the epoch.
 */
export function interpretResponse(
  host: string,
  reply: ServiceReply,
  rules: ResponseRules,
  now: number,
): DriverReceipt {
  const { status, body } = reply
  const json = body === undefined ? undefined : parseJson(body)
  const meaning = interpretStatus(status, rules.meanings, rules.unsure)
  if (meaning !== 'sent') throw refusedError(host, reply, json, meaning, now)
  if (status >= 200 && status < 300 && rules.success !== undefined) {
    checkSuccessRule(host, status, json, rules.success, rules.unsure)
  }
  return rules.parts === undefined ? {} : toReceipt(getJsonValue(json, rules.parts))
}

/** The value in an SMS service's reply at a path such as `data.messages[0].id`. */
function getJsonValue(json: unknown, path: string): unknown {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  let value = json
  for (const step of steps.filter(each => each !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

function refusedError(
  host: string,
  { status, headers }: ServiceReply,
  json: unknown,
  kind: Exclude<StatusMeaning, 'sent'>,
  now: number,
): DriverError {
  const reason = errorPaths
    .map(path => getJsonValue(json, path))
    .find(each => typeof each === 'string')
  const answer = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const hasReason = typeof reason === 'string' && reason !== ''
  const sentence = hasReason ? `${answer}: ${reason}` : `${answer}.`
  const wait = kind === 'trouble' ? parseWait(headers['retry-after'], now) : 0
  return new DriverError(kind, [sentence, ...getAdvice(status)].join(' '), { wait })
}

function getAdvice(status: number): string[] {
  if (status === 401 || status === 403) return ['Check the user, the password or the key.']
  if (status === 404 || status === 405) return ['Check the url and the method.']
  if (status >= 300 && status < 400) {
    return ['Redirects are not followed: set url to the new address.']
  }
  return []
}

/** A 2xx of the SMS service is a success only if the body matches the `success` rule. */
function checkSuccessRule(
  host: string,
  status: number,
  json: unknown,
  { path, value }: NonNullable<ResponseRules['success']>,
  unsure: ResponseRules['unsure'],
): void {
  const found = getJsonValue(json, path)
  const isFalse = found === false
  const isPresent = found !== undefined && found !== null && !isFalse
  if (value === undefined ? isPresent : String(found) === value) return
  const answer = `${host} answered ${status}, but`
  if (isPresent || isFalse) {
    throw new DriverError('retry', `${answer} with ${path} ${JSON.stringify(found)}.`)
  }
  throw new DriverError(unsure, `${answer} without ${path}.`)
}

function toReceipt(found: unknown): DriverReceipt {
  const parts = typeof found === 'string' || typeof found === 'number' ? Number(found) : 0
  return Number.isInteger(parts) && parts >= 1 && parts <= 255 ? { parts } : {}
}

function parseWait(header: string | undefined, now: number): number {
  return Math.min(parseRetryAfter(header, now) ?? 0, maxWait)
}
