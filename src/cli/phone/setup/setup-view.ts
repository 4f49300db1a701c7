import { fields, table } from '../../terminal/terminal-text.js'
import { type Setup, setupParts } from './saved-setup.js'

const hidden = '••••'
const secretOption = /(^|\.)(pin|password)=|(^|\.)header\.[^=]+=/
const addressOption = /(^|\.)url=/
const bodyOption = /(^|\.)body=/

/** The setup as it may be shown: without the secrets in the options of its drivers. */
export function masked(setup: Setup): Setup {
  const { option } = setup
  return { ...setup, ...(option === undefined ? {} : { option: option.map(maskedOption) }) }
}

/** A setup, for people. */
export function setupView(setup: Setup): string {
  const shown = masked(setup)
  const parts = Object.keys(setupParts) as (keyof Setup)[]
  return fields(
    Object.fromEntries(
      parts.flatMap(part => {
        const value = shown[part]
        if (value === undefined) return []
        return [[part, Array.isArray(value) ? value.join('\n') : String(value)]]
      }),
    ),
  )
}

/** Setups one a line, for people. */
export function setupTable(setups: Readonly<Record<string, Setup>>, columns?: number): string {
  const rows = Object.entries(setups).map(([name, setup]) => {
    const { driver = [], rate = [], quiet = [], option = [] } = masked(setup)
    return [name, driver.join(', '), rate.join(', '), quiet.join(', '), option.join(' ')]
  })
  return table(['NAME', 'DRIVER', 'RATE', 'QUIET', 'OPTIONS'], rows, columns)
}

/** What comes from the environment, as `{env:NAME}`, is no secret; what stands there is. */
function maskedOption(text: string): string {
  const value = text.indexOf('=') + 1
  if (secretOption.test(text) || bodyOption.test(text)) {
    return text.includes('{env:') ? text : text.slice(0, value) + hidden
  }
  return addressOption.test(text) ? text.slice(0, value) + maskedAddress(text.slice(value)) : text
}

function maskedAddress(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, `//${hidden}@`)
    .replace(/([?&][^=&]+=)(?!\{env:)[^&]+/g, `$1${hidden}`)
}
