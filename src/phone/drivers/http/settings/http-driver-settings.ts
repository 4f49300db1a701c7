// The options of the driver `http`, over those of a preset.
//
// - http-options.ts: the table of all options.
// - http-driver-settings.ts: the request and the rules for its reply; checks the whole.
// - preset-options.ts: the preset, its address and body, and the values of templates.
// - login-options.ts: Basic authentication, OAuth 2.0 and the keys of AWS.
// - delivery-options.ts: delivery receipts and received texts, by polling or webhook.
//
// Secrets come from the environment.

import { RelayError } from '../../../../errors.js'
import { parseJson } from '../../../../util/text/parse-json.js'
import {
  type DriverOptions,
  type Env,
  readOptions,
  requireOption,
} from '../../../driver-port/driver-options.js'
import type { ProviderPreset } from '../rules/provider-preset.js'
import {
  fillRequestTemplate,
  messageNames,
  readTemplateEnvironment,
  type TemplateValues,
} from '../rules/request-template.js'
import type { ResponseRules, SuccessRule } from '../rules/response-rules.js'
import {
  parseCodeMeanings,
  parseStatusMeanings,
  statusMeaningNames,
} from '../rules/status-rules.js'
import type { AwsCredentials } from '../service/aws-signature.js'
import type { ClientCredentials } from '../service/client-credentials.js'
import {
  type DeliverySettings,
  getCallbackValues,
  readDeliverySettings,
} from './delivery-options.js'
import { type HttpOptions, httpOptions } from './http-options.js'
import { buildLogin, readAwsCredentials, readClientCredentials } from './login-options.js'
import { buildBaseUrl, chooseBody, findPreset, readValues } from './preset-options.js'

export interface HttpSettings extends ResponseRules {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly type: NonNullable<HttpOptions['type']>
  readonly body: string
  /** Body of texts outside the GSM 7-bit alphabet. */
  readonly unicodeBody: string
  /** What a flash text adds to the body. */
  readonly flash: string | undefined
  readonly values: TemplateValues
  readonly aws: AwsCredentials | undefined
  readonly oauth: ClientCredentials | undefined
  readonly delivery: DeliverySettings
  /** Milliseconds. */
  readonly timeout: number
}

export function parseHttpSettings(given: DriverOptions, env: Env): HttpSettings {
  const options = readOptions(httpOptions, given, env)
  const preset = findPreset(options)
  const base = preset === undefined ? requireUrl(options) : buildBaseUrl(options, preset)
  const delivery = readDeliverySettings(options, preset, base, env)
  const values = { ...readValues(options, env), ...getCallbackValues(delivery) }
  const { type = preset?.type ?? 'json' } = options
  const url = base + (preset?.path ?? '')
  const bodies = readBodies(options, preset, values)
  const headers = readHeaders(options, preset)
  return validateSettings({
    url,
    type,
    ...bodies,
    headers: { ...buildLogin(options, preset, values, env), ...headers },
    values: { ...values, ...readSecrets({ url, ...bodies }, headers, Object.keys(values), env) },
    method: (options.method ?? (type === 'query' ? 'GET' : 'POST')).toUpperCase(),
    ...readResponseRules(options, preset),
    aws: readAwsCredentials(options, preset, values, env),
    oauth: readClientCredentials(options, env),
    delivery,
    // A body of the user's own has its fields.
    flash: options.body === undefined ? preset?.flash : undefined,
    timeout: options.timeout,
  })
}

function requireUrl(options: HttpOptions): string {
  return requireOption(options.url, 'url', '--option url=https://sms.example.com/send')
}

function readBodies(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
  values: TemplateValues,
): Pick<HttpSettings, 'body' | 'unicodeBody'> {
  const { body = '' } = options
  if (preset === undefined || options.body !== undefined) return { body, unicodeBody: body }
  return chooseBody(preset, values)
}

/**
 * The environment variables that the http driver's templates use. Throws `usage` for unknown names.
 */
function readSecrets(
  { url, body, unicodeBody }: Pick<HttpSettings, 'url' | 'body' | 'unicodeBody'>,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
  env: Env,
): Record<string, string> {
  const inHeaders = ['destination', 'digits', 'id', 'parts', ...names]
  const secrets = {
    ...readTemplateEnvironment('url', url, [...messageNames, ...names], env),
    ...readTemplateEnvironment('body', body, [...messageNames, ...names], env),
    ...readTemplateEnvironment('body', unicodeBody, [...messageNames, ...names], env),
  }
  for (const [name, value] of Object.entries(headers)) {
    Object.assign(secrets, readTemplateEnvironment(`header.${name}`, value, inHeaders, env))
  }
  return secrets
}

function readHeaders(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
): Record<string, string> {
  const given = Object.entries(options['header.*']).map(
    ([name, value]) => [name.slice('header.'.length), value] as const,
  )
  const givenNames = new Set(given.map(([name]) => name.toLowerCase()))
  const known = Object.entries(preset?.headers ?? {}).filter(([name]) => !givenNames.has(name))
  return Object.fromEntries([...known, ...given])
}

function readResponseRules(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
): ResponseRules {
  const code = options.code ?? preset?.code
  const codes = { ...preset?.codes, ...pickLists(options, 'code-') }
  return {
    pattern: parsePattern(options.pattern ?? preset?.pattern),
    success: parseSuccessRule(options.success ?? preset?.success),
    id: options.id ?? preset?.id,
    parts: options.parts ?? preset?.parts,
    meanings: parseStatusMeanings({ ...preset?.statuses, ...pickLists(options, '') }),
    code: code === undefined ? [] : code.split(',').map(path => path.trim()),
    codes: parseCodeMeanings(codes),
    unsure: options.unsure ?? preset?.unsure ?? 'unknown',
  }
}

function parsePattern(pattern: string | undefined): RegExp | undefined {
  if (pattern === undefined) return undefined
  try {
    return new RegExp(pattern, 'u')
  } catch (error) {
    const hint = 'Such as ^OK (?<id>\\w+); named groups are the fields of the reply.'
    throw new RelayError('usage', `pattern is not a regular expression: "${pattern}".`, {
      hint,
      cause: error,
    })
  }
}

function pickLists(options: HttpOptions, prefix: '' | 'code-') {
  return Object.fromEntries(
    statusMeaningNames.flatMap(name => {
      const list = options[`${prefix}${name}` as const]
      return list === undefined ? [] : [[name, list] as const]
    }),
  )
}

function parseSuccessRule(typed: string | undefined): SuccessRule | undefined {
  if (typed === undefined) return undefined
  const at = typed.indexOf('=')
  if (at < 0) return { path: typed, values: undefined }
  return { path: typed.slice(0, at), values: typed.slice(at + 1).split('|') }
}

function validateSettings(settings: HttpSettings): HttpSettings {
  const { url, method, headers, type, body, unicodeBody, values } = settings
  const message = {
    destination: '+1',
    digits: '1',
    text: '"\\\n',
    id: 'a',
    parts: '1',
    flash: 'true',
    hex: '00',
  }
  const sample = { ...message, ...values }
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(fillRequestTemplate(url, 'url', sample))) {
    throw new RelayError('usage', 'url must be an address that begins with http:// or https://.')
  }
  if (!/^[A-Z]{1,16}$/.test(method))
    throw new RelayError('usage', `method must be an HTTP method such as POST; not "${method}".`)
  if (method === 'GET' && type !== 'query' && body !== '') {
    throw new RelayError('usage', 'A GET has no body: set type=query, or another method.')
  }
  for (const [name, template] of Object.entries(headers)) {
    const value = fillRequestTemplate(template, 'header', sample)
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    throw new RelayError('usage', `header.${name} is not a valid HTTP header.`)
  }
  const isJson = (template: string) =>
    template === '' || parseJson(fillRequestTemplate(template, 'json', sample)) !== undefined
  if (type === 'json' && !(isJson(body) && isJson(unicodeBody))) {
    throw new RelayError(
      'usage',
      'body is not JSON with its values; put quotation marks around {text} and {destination}.',
    )
  }
  return settings
}
