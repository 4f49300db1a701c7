import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import type { DriverMessage } from '../../driver-port/driver.js'
import { fillRequestTemplate, type TemplateValues } from './rules/request-template.js'
import type { ServiceRequest } from './service/service-request.js'
import type { HttpSettings } from './settings/http-driver-settings.js'

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
  query: undefined,
} as const

export function buildSendRequest(
  { destination, text, id, flash = false }: DriverMessage,
  settings: HttpSettings,
): { readonly request: ServiceRequest; readonly values: TemplateValues } {
  const { url: template, method, type, body, unicodeBody, timeout } = settings
  const { alphabet, parts } = countSmsParts(text)
  const values = {
    ...settings.values,
    destination,
    digits: destination.replace(/\D/g, ''),
    text,
    id,
    parts: String(parts),
    flash: String(flash),
    hex: Buffer.from(text, 'utf16le').swap16().toString('hex'),
  }
  const url = new URL(fillRequestTemplate(template, 'url', values))
  const usual = fillRequestTemplate(alphabet === 'GSM-7' ? body : unicodeBody, type, values)
  const filled = flash ? addFields(usual, type, settings.flash) : usual
  if (type === 'query' && filled !== '') {
    url.search = url.search === '' ? filled : `${url.search}&${filled}`
  }
  const hasBody = type !== 'query' && filled !== ''
  const headers = buildHeaders(
    url,
    settings.headers,
    values,
    hasBody ? contentTypes[type] : undefined,
  )
  return { request: { url, method, timeout, body: hasBody ? filled : undefined, headers }, values }
}

/** Adds fields to a JSON object, or to a form or query. */
function addFields(filled: string, type: HttpSettings['type'], fields = ''): string {
  if (fields === '') return filled
  return type === 'json' ? filled.replace(/\}$/, `,${fields}}`) : `${filled}&${fields}`
}

export function buildStatusRequest(
  template: string,
  text: { readonly networkId: string; readonly destination: string },
  { headers, values: given, timeout }: Pick<HttpSettings, 'headers' | 'values' | 'timeout'>,
): ServiceRequest {
  const values = {
    ...given,
    providerid: text.networkId,
    destination: text.destination,
    digits: text.destination.replace(/\D/g, ''),
    id: text.networkId,
    parts: '',
  }
  const url = new URL(fillRequestTemplate(template, 'url', values))
  const own = Object.entries(headers).filter(([name]) => !/^(content-type|x-amz-)/i.test(name))
  const filled = buildHeaders(url, Object.fromEntries(own), values, undefined)
  return { url, method: 'GET', timeout, body: undefined, headers: filled }
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
