import { RelayError } from '../../../../errors.js'
import { type Env, requireOption } from '../../../driver-port/driver-options.js'
import { presets } from '../presets/http-presets.js'
import type { ProviderPreset } from '../rules/provider-preset.js'
import {
  fillRequestTemplate,
  listPlaceholders,
  readTemplateEnvironment,
  selectSections,
  type TemplateValues,
} from '../rules/request-template.js'
import { type HttpOptions, valueNames } from './http-options.js'

type ValueName = (typeof valueNames)[number]

const examples: Readonly<Record<ValueName, string>> = {
  from: '+12025550100',
  account: 'AC00112233445566778899aabbccddeeff',
  service: 'MG0011',
  device: '65f0',
  sim: '1',
  region: 'eu-west-1',
  workspace: '0f3c2a1e',
  channel: '5b7d9c2f',
  configuration: 'texts',
  topic: 'arn:aws:sns:eu-west-1:123456789012:texts',
}

export function findPreset({ preset }: HttpOptions): ProviderPreset | undefined {
  if (preset === undefined) return undefined
  if (Object.hasOwn(presets, preset)) return presets[preset]
  const known = Object.keys(presets).join(', ')
  throw new RelayError('usage', `There is no preset "${preset}".`, {
    hint: `Presets: ${known}. smsrelay phone presets shows what each needs.`,
  })
}

export function readValues(options: HttpOptions, env: Env): Record<string, string> {
  const given = valueNames.flatMap(name => {
    const typed = options[name]
    if (typed === undefined) return []
    const secrets = readTemplateEnvironment(name, typed, [], env)
    return [[name, fillRequestTemplate(typed, 'text', secrets)] as const]
  })
  return Object.fromEntries(given)
}

/** The provider's address without the path. Throws `usage` if the preset has none. */
export function buildBaseUrl(options: HttpOptions, preset: ProviderPreset): string {
  const base = options.url ?? preset.url
  if (base !== undefined) return base.replace(/\/+$/, '')
  return requireOption(base, 'url', '--option url=http://192.168.1.20:8080')
}

/**
 * The first body of the preset for which all values are given, without the sections whose values
 * are not given. Throws `usage` for a missing value.
 */
export function chooseBody(
  preset: ProviderPreset,
  values: TemplateValues,
): { readonly body: string; readonly unicodeBody: string } {
  const find = (template: string) => listMissingValues(template, values)[0]
  const bodies = preset.bodies.map(body => selectSections(body, values))
  const complete = bodies.find(body => find(body) === undefined)
  const name = find((preset.url ?? '') + preset.path + (complete ?? bodies.at(-1) ?? ''))
  if (name !== undefined) requireOption(values[name], name, `--option ${name}=${examples[name]}`)
  const body = complete ?? ''
  const unicode = preset.unicodeBody
  return { body, unicodeBody: unicode === undefined ? body : selectSections(unicode, values) }
}

function listMissingValues(template: string, values: TemplateValues): ValueName[] {
  const used = listPlaceholders(template)
  return valueNames.filter(name => used.includes(name) && values[name] === undefined)
}
