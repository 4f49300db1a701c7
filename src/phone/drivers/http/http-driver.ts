// The driver `http`: sends a text with one request to the HTTP interface of a service.
//
// 1. http-driver-settings.ts parses the options over those of a preset (http-presets.ts).
// 2. For each text, request-template.ts fills its values into URL, headers and body.
// 3. service-request.ts sends the request.
// 4. response-rules.ts turns the reply into a receipt or an error, by the status (status-rules.ts)
//    and the rule for success.

import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { type Driver, DriverError, type DriverMessage } from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import { type HttpSettings, parseHttpSettings, valueNames } from './http-driver-settings.js'
import { fillRequestTemplate, type TemplateValues } from './request-template.js'
import type { ServiceRequest } from './service-request.js'

/** Names of the http driver's options; `header.*` is any header. */
export const httpOptions = [
  ...['preset', 'url', 'method', 'header.*', 'user', 'password', 'type', 'body', 'success'],
  ...['parts', 'timeout', 'sent', 'retry', 'fail', 'trouble', 'unknown', 'unsure'],
  ...valueNames,
] as const

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
  query: undefined,
} as const

/** Creates the driver `http` (docs/reference/drivers.md). Throws `usage`. */
export function createHttpDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  const settings = parseHttpSettings(options, env)
  return {
    name: 'http',
    async send(message, signal) {
      if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
      const { requestService } = await import('./service-request.js')
      const { interpretResponse } = await import('./response-rules.js')
      const request = buildRequest(message, settings)
      const reply = await requestService(request, settings.unsure, signal)
      return interpretResponse(request.url.host, reply, settings, clock.now())
    },
    async health() {
      const { checkReachable } = await import('./service-request.js')
      const sample = { destination: '', digits: '', text: '', id: '', parts: '' }
      const values = { ...settings.values, ...sample }
      return await checkReachable(new URL(fillRequestTemplate(settings.url, 'url', values)))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function buildRequest(message: DriverMessage, settings: HttpSettings): ServiceRequest {
  const { url: template, method, headers, type, body: bodyTemplate, timeout } = settings
  const values = {
    ...settings.values,
    destination: message.destination,
    digits: message.destination.replace(/\D/g, ''),
    text: message.text,
    id: message.id,
    parts: String(countSmsParts(message.text).parts),
  }
  const url = new URL(fillRequestTemplate(template, 'url', values))
  const filled = fillRequestTemplate(bodyTemplate, type, values)
  if (type === 'query' && filled !== '') {
    url.search = url.search === '' ? filled : `${url.search}&${filled}`
  }
  const hasBody = type !== 'query' && filled !== ''
  return {
    url,
    method,
    timeout,
    body: hasBody ? filled : undefined,
    headers: buildHeaders(url, headers, values, hasBody ? contentTypes[type] : undefined),
  }
}

/** The http driver's given headers replace the default ones of the same name. */
function buildHeaders(
  url: URL,
  given: Readonly<Record<string, string>>,
  values: TemplateValues,
  contentType: string | undefined,
): Record<string, string> {
  const givenNames = new Set(Object.keys(given).map(name => name.toLowerCase()))
  const defaults = Object.entries({
    Host: url.host,
    'User-Agent': 'smsrelay',
    Accept: 'application/json',
    ...buildAuthorization(url),
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  }).filter(([name]) => !givenNames.has(name.toLowerCase()))
  const filled = Object.entries(given).map(
    ([name, value]) => [name, fillRequestTemplate(value, 'header', values)] as const,
  )
  return Object.fromEntries([...defaults, ...filled])
}

/** The login in the http driver's address (RFC 7617). */
function buildAuthorization({ username, password }: URL): { Authorization?: string } {
  if (username === '' && password === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { Authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}
