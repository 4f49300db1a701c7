import { RelayError } from '../../../errors.js'

/** Where a template stands, which decides how what is put in is escaped. */
export type TemplateContext = 'url' | 'query' | 'form' | 'json' | 'text' | 'header'

/** What may be put into a template, by name. */
export type TemplateValues = Readonly<Record<string, string>>

const placeholder = /\{([a-z]+(?::[A-Za-z_]\w*)?)\}/g

const escapes: Readonly<Record<TemplateContext, (value: string) => string>> = {
  url: encodeURIComponent,
  query: encodeURIComponent,
  form: value => new URLSearchParams([['', value]]).toString().slice(1),
  json: value => JSON.stringify(value).slice(1, -1),
  text: value => value,
  header: value => value,
}

/** Puts values into a template, each escaped for its place; a name that is not among them stays as it is. */
export function fillRequestTemplate(
  template: string,
  place: TemplateContext,
  values: TemplateValues,
): string {
  return template.replace(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : escapes[place](value.toWellFormed())
  })
}

/** The names a template uses. */
export function findTemplateNames(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, name = '']) => name)
}

/**
 * Checks that a template uses only names there are: those given, and `env:NAME` for what is set in the environment.
 * Returns the values of the latter. Throws `usage`.
 */
export function readTemplateEnvironment(
  option: string,
  template: string,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of findTemplateNames(template)) {
    const [, variable] = name.split(':')
    if (variable !== undefined && name.startsWith('env:')) {
      found[name] = readVariable(option, variable, env)
    } else if (!names.includes(name)) {
      const known = [...names, 'env:NAME'].map(each => `{${each}}`).join(', ')
      throw new RelayError('usage', `${option} has {${name}}; there are ${known}.`)
    }
  }
  return found
}

function readVariable(
  option: string,
  variable: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const value = env[variable]?.trim()
  if (value !== undefined && value !== '') return value
  throw new RelayError('usage', `${option} needs ${variable}: set it in the environment.`)
}
