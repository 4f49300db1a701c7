import { RelayError } from '../../../../errors.js'
import type { Env } from '../../../driver-port/driver-options.js'

/**
 * The part of the http driver's request that a template fills; it decides how values are escaped.
 */
type TemplateContext = 'url' | 'query' | 'form' | 'json' | 'text' | 'header'

export type TemplateValues = Readonly<Record<string, string>>

/**
 * Template values that differ from text to text; `hex` is the text in UTF-16BE, `flash` is `true`
 * or `false`.
 */
export const messageNames: readonly string[] = [
  ...['destination', 'digits', 'text', 'id', 'parts', 'hex', 'flash'],
]

const placeholder = /\{([a-z]+(?::[A-Za-z_]\w*)?)\}/g

const escapes: Readonly<Record<TemplateContext, (value: string) => string>> = {
  url: encodeURIComponent,
  query: encodeURIComponent,
  form: value => new URLSearchParams([['', value]]).toString().slice(1),
  json: value => JSON.stringify(value).slice(1, -1),
  text: value => value,
  header: value => value,
}

/**
 * Fills a template of the http driver: replaces each `{name}` by its escaped value; unknown names
 * stay.
 */
export function fillRequestTemplate(
  template: string,
  context: TemplateContext,
  values: TemplateValues,
): string {
  return template.replace(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : escapes[context](value.toWellFormed())
  })
}

/** The names of a template's placeholders, such as `text` and `env:KEY`. */
export function listPlaceholders(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, name = '']) => name)
}

/** Leaves out each part in `<>` of a preset's template of which a value is not given. */
export function selectSections(template: string, values: TemplateValues): string {
  return template.replace(/<([^<>]*)>/g, (_, section: string) => {
    const names = listPlaceholders(section).filter(name => !messageNames.includes(name))
    return names.every(name => Object.hasOwn(values, name)) ? section : ''
  })
}

/**
 * Checks that a template of the http driver uses only the given names and `env:NAME` for variables
 * that are set, and returns the values of these variables. Throws `usage`.
 */
export function readTemplateEnvironment(
  option: string,
  template: string,
  names: readonly string[],
  env: Env,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of listPlaceholders(template)) {
    const [, variable] = name.split(':')
    if (variable !== undefined && name.startsWith('env:')) {
      found[name] = readVariable(option, variable, env)
    } else if (!names.includes(name)) {
      const known = [...names, 'env:NAME'].map(each => `{${each}}`).join(', ')
      throw new RelayError('usage', `${option} uses {${name}}, which is unknown.`, {
        hint: `Known names: ${known}.`,
      })
    }
  }
  return found
}

function readVariable(option: string, variable: string, env: Env): string {
  const value = env[variable]?.trim()
  if (value !== undefined && value !== '') return value
  throw new RelayError('usage', `${option} needs ${variable}; set it in the environment.`)
}
