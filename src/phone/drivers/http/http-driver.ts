import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import type { Clock } from '../../../util/async/clock.js'
import { type Driver, DriverError, type DriverMessage } from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import { type HttpSettings, parseHttpSettings, valueNames } from './http-driver-settings.js'
import { fillRequestTemplate, type TemplateValues } from './request-template.js'
import type { ServiceRequest } from './service-request.js'

/** Names of the options of {@link createHttpDriver}; `header.*` is any header. */
export const httpOptions = [
  ...[
    'preset',
    'url',
    'method',
    'header.*',
    'user',
    'password',
    'type',
    'body',
    'success',
    'parts',
  ],
  ...['timeout', 'sent', 'retry', 'fail', 'trouble', 'unknown', 'unsure', ...valueNames],
] as const

/** What the http driver uses of the world. */
export interface HttpContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
  query: undefined,
} as const

/**
 * A driver for any service with an HTTP interface: `url`, `method` (@default POST), `header.NAME`, `user` with a password
 * in SMSRELAY_HTTP_PASSWORD, and a `body` of a `type` (`json`, `form`, `query`, `text`) into which {destination},
 * {digits}, {text}, {id}, {parts} and {env:NAME} are put, escaped for where they stand. `success` is a JSON path that
 * must be there, or `path=value`; `parts` the path of the number of parts; `sent`, `retry`, `fail`, `trouble`, `unknown`
 * are lists of statuses that mean something else than by default; `unsure=retry` says that a text of which nobody knows
 * may go again, because the service knows its {id}; `timeout` is in seconds (@default 30). `preset` sets all that for a
 * service that is known. Throws `usage`.
 */
export function createHttpDriver(options: DriverOptions, context: HttpContext): Driver {
  const settings = parseHttpSettings(options, context.env)
  return {
    name: 'http',
    async send(message, signal) {
      if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
      const { requestService } = await import('./service-request.js')
      const { interpretResponse: judge } = await import('./response-rules.js')
      const outgoing = buildRequest(message, settings)
      const answer = await requestService(outgoing, settings.unsure, signal)
      return judge(outgoing.url.host, answer, settings, context.clock.now())
    },
    async health() {
      const { checkReachable: reach } = await import('./reachability.js')
      const sample = { destination: '', digits: '', text: '', id: '', parts: '' }
      return await reach(
        new URL(fillRequestTemplate(settings.url, 'url', { ...settings.values, ...sample })),
      )
    },
    async [Symbol.asyncDispose]() {},
  }
}

function buildRequest(message: DriverMessage, settings: HttpSettings): ServiceRequest {
  const { url, method, headers, type, body, timeout } = settings
  const values = {
    ...settings.values,
    destination: message.destination,
    digits: message.destination.replace(/\D/g, ''),
    text: message.text,
    id: message.id,
    parts: String(countSmsParts(message.text).parts),
  }
  const address = new URL(fillRequestTemplate(url, 'url', values))
  const filled = fillRequestTemplate(body, type, values)
  const content = contentTypes[type]
  if (content === undefined && filled !== '') {
    address.search = address.search === '' ? filled : `${address.search}&${filled}`
  }
  const has = content !== undefined && filled !== ''
  return {
    ...{ url: address, method, timeout, body: has ? filled : undefined },
    headers: buildHeaders(address, headers, values, has ? content : undefined),
  }
}

/** A header that was given comes before ours of the same name, whatever its case. */
function buildHeaders(
  url: URL,
  given: Readonly<Record<string, string>>,
  values: TemplateValues,
  content: string | undefined,
): Record<string, string> {
  const own = new Set(Object.keys(given).map(name => name.toLowerCase()))
  const ours = Object.entries({
    Host: url.host,
    'User-Agent': 'smsrelay',
    Accept: 'application/json',
    ...buildAuthorization(url),
    ...(content === undefined ? {} : { 'Content-Type': content }),
  }).filter(([name]) => !own.has(name.toLowerCase()))
  const theirs = Object.entries(given).map(
    ([name, value]) => [name, fillRequestTemplate(value, 'header', values)] as const,
  )
  return Object.fromEntries([...ours, ...theirs])
}

/** The login in the address (RFC 7617). */
function buildAuthorization({ username, password }: URL): { Authorization?: string } {
  if (username === '' && password === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { Authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}
