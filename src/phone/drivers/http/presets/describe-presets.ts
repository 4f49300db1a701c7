import type { ProviderPreset } from '../rules/provider-preset.js'
import { listPlaceholders, messageNames, selectSections } from '../rules/request-template.js'
import { presets } from './http-presets.js'

export interface PresetDescription {
  readonly preset: string
  readonly title: string
  readonly options: readonly string[]
  readonly optional: readonly string[]
  /** Environment variables that it needs to send. */
  readonly environment: readonly string[]
  /** Environment variables that its webhooks need in addition; the first that is set counts. */
  readonly webhookEnvironment: readonly string[]
  /** How the delivery status of a text follows: `poll`, `webhook`, or both. */
  readonly reports: readonly ('poll' | 'webhook')[]
  /** Whether received texts arrive by webhook. */
  readonly receives: boolean
}

export function describePresets(): PresetDescription[] {
  return Object.entries(presets).map(([name, preset]) => describePreset(name, preset))
}

function describePreset(name: string, preset: ProviderPreset): PresetDescription {
  const { webhook, status } = preset
  const fixed = `${preset.url ?? ''}${preset.path}${preset.user ?? ''}`
  const bodies = preset.bodies.map(body => listValues(selectSections(body, {})))
  const inFixed = listValues(fixed)
  const [shared = []] = bodies
  const common = shared.filter(each => bodies.every(body => body.includes(each)))
  const isChoice = bodies.every(body => body.length > common.length)
  const options = unique([
    ...(preset.url === undefined ? ['url'] : []),
    ...(preset.password !== undefined && preset.user === undefined ? ['user'] : []),
    ...inFixed,
    ...common,
    ...(isChoice ? [joinAlternatives(bodies, common)] : []),
  ])
  const environment = unique([
    ...listSecrets([fixed, preset.password ?? '', ...preset.bodies]),
    ...listSecrets(Object.values(preset.headers ?? {})),
    ...(preset.awsService === undefined ? [] : ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']),
  ])
  const all = listValues(preset.bodies.join('')).filter(each => each !== 'webhook')
  const optional = unique(all.filter(each => !options.join('|').split('|').includes(each)))
  const more = [...(webhook?.isSns === true ? ['topic'] : []), ...getReportOptions(preset)]
  return {
    preset: name,
    title: preset.title,
    options,
    optional: [...optional, ...more],
    environment,
    webhookEnvironment: (webhook?.secret ?? []).filter(each => !environment.includes(each)),
    reports: [
      ...(status === undefined ? [] : (['poll'] as const)),
      ...(webhook?.receipt === undefined ? [] : (['webhook'] as const)),
    ],
    receives: webhook?.text !== undefined,
  }
}

/** Of two bodies that need different options, one must be complete. */
function joinAlternatives(
  bodies: readonly (readonly string[])[],
  common: readonly string[],
): string {
  return bodies.map(body => body.filter(each => !common.includes(each)).join('+')).join('|')
}

function getReportOptions({ status, webhook }: ProviderPreset): string[] {
  const isReported = status !== undefined || webhook?.receipt !== undefined
  return [
    ...(isReported ? ['reports'] : []),
    ...(webhook === undefined ? [] : ['public-url']),
    ...(webhook?.weakChecks === undefined ? [] : ['signature']),
  ]
}

function listValues(template: string): string[] {
  return listPlaceholders(template).filter(
    name => !name.startsWith('env:') && !messageNames.includes(name),
  )
}

function listSecrets(templates: readonly string[]): string[] {
  return templates
    .flatMap(listPlaceholders)
    .filter(name => name.startsWith('env:'))
    .map(name => name.slice('env:'.length))
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
