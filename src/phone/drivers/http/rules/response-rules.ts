// The rules by which the driver `http` reads what a provider says.
//
// - provider-preset.ts: the settings of a known provider.
// - request-template.ts fills the values of a text into the request.
// - response-rules.ts turns the reply into a receipt or an error: first by the codes in its body,
//   then by its HTTP status (status-rules.ts), and at last by the rule for success.
// - delivery-rules.ts reads receipts and received texts, from webhooks and from polling.
// - json-path.ts finds values in JSON.

import { STATUS_CODES } from 'node:http'
import { parseRetryAfter } from '../../../../net/client/retry-after.js'
import { parseJson } from '../../../../util/text/parse-json.js'
import { DriverError, type DriverReceipt } from '../../../driver-port/driver.js'
import type { ServiceReply } from '../service/service-request.js'
import { getJsonText, getJsonValues } from './json-path.js'
import { fillRequestTemplate, type TemplateValues } from './request-template.js'
import { interpretStatus, type StatusMeaning, type StatusMeanings } from './status-rules.js'

/** The values that `path` must have in a provider's reply; without values, any but false. */
export interface SuccessRule {
  readonly path: string
  readonly values: readonly string[] | undefined
}

export interface ResponseRules {
  readonly pattern: RegExp | undefined
  readonly success: SuccessRule | undefined
  readonly id: string | undefined
  readonly parts: string | undefined
  readonly meanings: StatusMeanings
  /** Paths of the code of each part; the first one with a known code counts. */
  readonly code: readonly string[]
  readonly codes: ReadonlyMap<string, StatusMeaning>
  readonly unsure: 'unknown' | 'retry'
}

/** Milliseconds. */
const maxWait = 15 * 60_000

/** Paths of error texts in the JSON replies of SMS services. */
const errorPaths = [
  ...['message', 'error.message', 'error', 'errors[0].message', 'errors[0].detail'],
  ...['errors[0].description', 'requestError.serviceException.text', 'description', 'Message'],
  ...['text', 'detail', 'title', 'messages[0].status.description', 'data.messages[0].status'],
]

/**
 * Turns an SMS service's reply into a receipt. Throws {@link DriverError} if the text was not sent
 * or may not have been. `now` is in milliseconds since the epoch.
 */
export function interpretResponse(
  host: string,
  reply: ServiceReply,
  rules: ResponseRules,
  values: TemplateValues,
  now: number,
): DriverReceipt {
  const { status } = reply
  const fields = readReply(reply, rules.pattern)
  const byCode = interpretCodes(fields, rules)
  const meaning = byCode ?? interpretStatus(status, rules.meanings, rules.unsure)
  if (meaning !== 'sent') throw refusedError(host, reply, fields, meaning, now)
  if (status >= 200 && status < 300 && rules.success !== undefined) {
    checkSuccessRule(host, status, fields, rules.success, rules.unsure)
  }
  return { ...readParts(fields, rules.parts), ...readIds(fields, rules.id, values) }
}

/** The provider's reply as JSON, or as the groups of the pattern; undefined if it is neither. */
function readReply({ body }: ServiceReply, pattern: RegExp | undefined): unknown {
  if (body === undefined) return undefined
  return pattern === undefined ? parseJson(body) : pattern.exec(body)?.groups
}

/** If only some parts were accepted, the recipient may get a part of the text. */
function interpretCodes(
  fields: unknown,
  { code, codes }: ResponseRules,
): StatusMeaning | undefined {
  for (const path of code) {
    const meanings = getJsonValues(fields, path).map(value =>
      codes.get(String(value).replace(/^.*#/, '')),
    )
    const known = meanings.filter(each => each !== undefined)
    if (known.length === 0) continue
    const [first] = known
    const isSame = known.length === meanings.length && known.every(each => each === first)
    return isSame || !known.includes('sent') ? first : 'unknown'
  }
  return undefined
}

function refusedError(
  host: string,
  { status, headers }: ServiceReply,
  fields: unknown,
  kind: Exclude<StatusMeaning, 'sent'>,
  now: number,
): DriverError {
  const reason = getJsonText(fields, ...errorPaths)
  const answer = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const sentence = reason === undefined ? `${answer}.` : `${answer}: ${reason}`
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

/**
 * A 2xx of the SMS service is a success only if the body matches the `success` rule, in every part
 * if the path has `[*]`.
 */
function checkSuccessRule(
  host: string,
  status: number,
  fields: unknown,
  { path, values }: SuccessRule,
  unsure: ResponseRules['unsure'],
): void {
  const found = getJsonValues(fields, path)
  const isMatch = (value: unknown) =>
    values === undefined ? value !== false : values.includes(String(value))
  const matches = found.filter(isMatch).length
  if (found.length > 0 && matches === found.length) return
  const answer = `${host} answered ${status}, but`
  if (found.length === 0) throw new DriverError(unsure, `${answer} without ${path}.`)
  const other = JSON.stringify(found.find(value => !isMatch(value)))
  throw new DriverError(matches > 0 ? 'unknown' : 'retry', `${answer} with ${path} ${other}.`)
}

function readParts(fields: unknown, path: string | undefined): DriverReceipt {
  const parts = path === undefined ? 0 : Number(getJsonText(fields, path) ?? 0)
  return Number.isInteger(parts) && parts >= 1 && parts <= 255 ? { parts } : {}
}

function readIds(fields: unknown, rule: string | undefined, values: TemplateValues): DriverReceipt {
  if (rule === undefined) return {}
  const found = rule.includes('{')
    ? [fillRequestTemplate(rule, 'text', values)]
    : getJsonValues(fields, rule).map(String)
  const networkIds = [...new Set(found.filter(id => id !== ''))]
  return networkIds.length === 0 ? {} : { networkIds }
}

function parseWait(header: string | undefined, now: number): number {
  return Math.min(parseRetryAfter(header, now) ?? 0, maxWait)
}
