import { RelayError } from '../../../../errors.js'
import { type Env, requireOption } from '../../../driver-port/driver-options.js'
import type {
  DeliveryState,
  ItemRules,
  PresetWebhook,
  ProviderPreset,
} from '../rules/provider-preset.js'
import type { TemplateValues } from '../rules/request-template.js'
import { getOwn } from '../signatures/signed-webhook.js'
import type { HttpOptions } from './http-options.js'
import { requireSecret } from './login-options.js'

export interface StatusPollingSettings {
  readonly url: string
  readonly receipt: ItemRules
}

export interface WebhookSettings extends PresetWebhook {
  /** Segment of the path, and the name of the preset by default. */
  readonly name: string
  /** The address that the provider calls, without the secret; undefined if it is unknown. */
  readonly address: string | undefined
  readonly topic: string
}

export interface DeliverySettings {
  readonly states: Readonly<Record<string, DeliveryState>>
  readonly omitsPlus: boolean
  readonly status: StatusPollingSettings | undefined
  readonly webhook: WebhookSettings | undefined
  readonly hasReports: boolean
  /** The address for receipts, as the value `webhook` of templates; undefined without receipts. */
  readonly callback: string | undefined
}

/**
 * Parses the options of the http driver for delivery receipts and received texts. Throws `usage`.
 */
export function readDeliverySettings(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
  base: string,
  env: Env,
): DeliverySettings {
  const webhook = readWebhook(options, preset)
  const { reports = options['public-url'] === undefined ? 'no' : 'webhook' } = options
  const status = reports === 'poll' ? readStatusPolling(options, preset, base) : undefined
  return {
    states: { ...preset?.states, ...readStates(options) },
    omitsPlus: preset?.omitsPlus ?? false,
    status,
    webhook,
    hasReports: reports !== 'no',
    callback: reports === 'webhook' ? buildCallback(options, webhook, env) : undefined,
  }
}

export function readWebhookSecret({ secret, hasSecretPath }: PresetWebhook, env: Env): string {
  if (secret.length === 0) return ''
  const value = requireSecret('The webhook', secret, env)
  if (hasSecretPath !== true || /^[\w-]{16,}$/.test(value)) return value
  const rule = 'must have 16 or more letters, digits, - and _'
  throw new RelayError('usage', `${secret[0]} ${rule}, because it is a part of an address.`)
}

function readWebhook(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
): WebhookSettings | undefined {
  const name = options.webhook ?? options.preset ?? ''
  const base = options['public-url']?.replace(/\/+$/, '')
  if (preset?.webhook === undefined) {
    const [other] = (['webhook', 'public-url', 'signature'] as const).filter(
      each => options[each] !== undefined,
    )
    if (other === undefined) return undefined
    throw new RelayError('usage', `${other} needs a preset with webhooks.`, {
      hint: 'smsrelay phone presets lists them.',
    })
  }
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new RelayError('usage', `webhook must have small letters, digits and -; not "${name}".`)
  }
  if (base !== undefined && !(/^https?:\/\/[^/?#]+[^?#]*$/i.test(base) && URL.canParse(base))) {
    throw new RelayError('usage', `public-url must be an address such as https://sms.example.com.`)
  }
  const address = base === undefined ? undefined : `${base}/${name}`
  const check = chooseCheck(options, preset.title, preset.webhook)
  return { ...preset.webhook, check, name, address, topic: options.topic ?? '' }
}

function chooseCheck(
  { signature }: HttpOptions,
  title: string,
  { check, weakChecks = {} }: PresetWebhook,
): PresetWebhook['check'] {
  const chosen = signature === undefined ? check : getOwn(weakChecks, signature)
  if (chosen !== undefined) return chosen
  const known = Object.keys(weakChecks).join(', ')
  const rule = known === '' ? 'is no option of' : `must be ${known} for`
  throw new RelayError('usage', `signature ${rule} the preset of ${title}; not "${signature}".`, {
    hint: 'Leave it out; webhooks then need the strongest signature of the provider.',
  })
}

function buildCallback(
  options: HttpOptions,
  webhook: WebhookSettings | undefined,
  env: Env,
): string {
  if (webhook === undefined) {
    throw new RelayError('usage', 'reports=webhook needs a preset with webhooks.')
  }
  requireOption(options['public-url'], 'public-url', '--option public-url=https://sms.example.com')
  const address = webhook.address ?? ''
  return webhook.hasSecretPath === true ? `${address}/${readWebhookSecret(webhook, env)}` : address
}

function readStatusPolling(
  options: HttpOptions,
  preset: ProviderPreset | undefined,
  base: string,
): StatusPollingSettings {
  const { 'status-url': url, status } = options
  if (preset?.status !== undefined && url === undefined) {
    return { url: base + preset.status.path, receipt: preset.status.receipt }
  }
  if (preset !== undefined && preset.status === undefined) {
    throw new RelayError('usage', `${preset.title} cannot be asked for the status of a text.`, {
      hint: 'Use reports=webhook with public-url instead.',
    })
  }
  const example = '--option status-url=https://sms.example.com/v1/messages/{providerid}'
  requireOption(url, 'status-url', example)
  requireOption(status, 'status', '--option status=state')
  requireOption(options.id, 'id', '--option id=messages[0].id')
  return { url: url ?? '', receipt: { id: [], number: [], value: [status ?? ''] } }
}

function readStates(options: HttpOptions): Record<string, DeliveryState> {
  const states = ['pending', 'delivered', 'undelivered', 'expired'] as const
  return Object.fromEntries(
    states.flatMap(state =>
      (options[state] ?? '')
        .split(',')
        .map(word => word.trim().toLowerCase())
        .filter(word => word !== '')
        .map(word => [word, state] as const),
    ),
  )
}

/** Template values of the http driver that only its receipts use. */
export function getCallbackValues({ callback }: DeliverySettings): TemplateValues {
  return callback === undefined ? {} : { webhook: callback }
}
