import { RelayError } from '../../../../errors.js'
import { type Env, requireOption } from '../../../driver-port/driver-options.js'
import type { ProviderPreset } from '../rules/provider-preset.js'
import {
  fillRequestTemplate,
  readTemplateEnvironment,
  type TemplateValues,
} from '../rules/request-template.js'
import type { AwsCredentials } from '../service/aws-signature.js'
import type { ClientCredentials } from '../service/client-credentials.js'
import type { HttpOptions } from './http-options.js'

/** The Authorization header of the http driver's user and password (RFC 7617). Throws `usage`. */
export function buildLogin(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
  values: TemplateValues,
  env: Env,
): Record<string, string> {
  const user = options.user ?? preset?.user
  if (user === undefined) return {}
  const password = options.password ?? preset?.password ?? '{env:SMSRELAY_HTTP_PASSWORD}'
  const fill = (name: string, template: string) => {
    const secrets = readTemplateEnvironment(name, template, Object.keys(values), env)
    return fillRequestTemplate(template, 'text', { ...values, ...secrets })
  }
  const pair = `${fill('user', user)}:${fill('password', password)}`
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** OAuth 2.0 client credentials; undefined without `oauth-url`. Throws `usage`. */
export function readClientCredentials(
  options: HttpOptions,
  env: Env,
): ClientCredentials | undefined {
  const { 'oauth-url': url, 'oauth-scope': scope } = options
  if (url === undefined) {
    const [other] = [options['oauth-id'], scope].filter(each => each !== undefined)
    if (other === undefined) return undefined
    return void requireOption(url, 'oauth-url', '--option oauth-url=https://example.com/token')
  }
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new RelayError('usage', 'oauth-url must be an address that begins with https://.')
  }
  const id = requireOption(options['oauth-id'], 'oauth-id', '--option oauth-id=relay')
  return { url, id, secret: requireSecret('oauth-url', ['SMSRELAY_OAUTH_SECRET'], env), scope }
}

/** The keys of AWS, from its own environment variables; undefined if no request is signed. */
export function readAwsCredentials(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
  values: TemplateValues,
  env: Env,
): AwsCredentials | undefined {
  const service = options['aws-service'] ?? preset?.awsService
  if (service === undefined) return undefined
  const { region } = values
  if (region === undefined) requireOption(region, 'region', '--option region=eu-west-1')
  return {
    service,
    region: region ?? '',
    accessKeyId: requireSecret('aws-service', ['AWS_ACCESS_KEY_ID'], env),
    secretAccessKey: requireSecret('aws-service', ['AWS_SECRET_ACCESS_KEY'], env),
    sessionToken: env.AWS_SESSION_TOKEN?.trim() || undefined,
  }
}

/** The first of several environment variables that is set. Throws `usage`. */
export function requireSecret(option: string, names: readonly string[], env: Env): string {
  const value = names.map(name => env[name]?.trim()).find(each => each !== undefined && each !== '')
  if (value !== undefined) return value
  throw new RelayError('usage', `${option} needs ${names[0]}; set it in the environment.`)
}
