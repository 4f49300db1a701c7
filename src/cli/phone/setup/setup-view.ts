import { formatFields, formatTable } from '../../terminal/terminal-text.js'
import { type Setup, setupFields } from './saved-setup.js'

const mask = '••••'
const secretOption = /(^|\.)(pin|password)=|(^|\.)header\.[^=]+=/
const addressOption = /(^|\.)url=/
const bodyOption = /(^|\.)body=/

/** The setup as it may be shown: without the secrets in the options of its drivers. */
export function maskSetup(setup: Setup): Setup {
  const { option } = setup
  return { ...setup, ...(option === undefined ? {} : { option: option.map(maskOption) }) }
}

/** A setup, for people. */
export function formatSetup(setup: Setup): string {
  const shown = maskSetup(setup)
  const parts = Object.keys(setupFields) as (keyof Setup)[]
  return formatFields(
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
export function formatSetupTable(
  setups: Readonly<Record<string, Setup>>,
  columns?: number,
): string {
  const rows = Object.entries(setups).map(([name, setup]) => {
    const { driver = [], rate = [], quiet = [], option = [] } = maskSetup(setup)
    return [name, driver.join(', '), rate.join(', '), quiet.join(', '), option.join(' ')]
  })
  return formatTable(['NAME', 'DRIVER', 'RATE', 'QUIET', 'OPTIONS'], rows, columns)
}

/** What comes from the environment, as `{env:NAME}`, is no secret; what stands there is. */
function maskOption(text: string): string {
  const value = text.indexOf('=') + 1
  if (secretOption.test(text) || bodyOption.test(text)) {
    return text.includes('{env:') ? text : text.slice(0, value) + mask
  }
  return addressOption.test(text) ? text.slice(0, value) + maskAddress(text.slice(value)) : text
}

function maskAddress(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, `//${mask}@`)
    .replace(/([?&][^=&]+=)(?!\{env:)[^&]+/g, `$1${mask}`)
}
