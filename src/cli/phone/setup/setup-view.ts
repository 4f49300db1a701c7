import { formatFields, formatTable } from '../../terminal/terminal-text.js'
import { type Setup, setupFields } from './saved-setup.js'

const mask = '••••'
const secretOption = /(^|\.)(pin|password)=|(^|\.)header\.[^=]+=/
const addressOption = /(^|\.)url=/
const bodyOption = /(^|\.)body=/

/**
 * Masks secrets in the driver options of a `smsrelay phone` setup, such as passwords and parts of
 * addresses.
 */
export function maskSetup(setup: Setup): Setup {
  const { option } = setup
  return { ...setup, ...(option === undefined ? {} : { option: option.map(maskOption) }) }
}

export function formatSetup(setup: Setup): string {
  const masked = maskSetup(setup)
  const fields = Object.keys(setupFields) as (keyof Setup)[]
  return formatFields(
    Object.fromEntries(
      fields.flatMap(field => {
        const value = masked[field]
        if (value === undefined) return []
        return [[field, Array.isArray(value) ? value.join('\n') : String(value)]]
      }),
    ),
  )
}

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

/**
 * Masks a driver option of a `smsrelay phone` setup; `{env:NAME}`, an environment variable, reveals
 * nothing.
 */
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
