import type { Column } from '../../output/column.js'
import { formatRecord } from '../../output/record-text.js'
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

export type ShownSetup = Setup & { readonly setup: string }

const listedFields: readonly (keyof Setup)[] = ['driver', 'rate', 'quiet', 'option']

export const setupColumns: readonly Column<ShownSetup>[] = [
  { name: 'setup', isId: true, read: each => each.setup },
  ...(Object.keys(setupFields) as (keyof Setup)[]).map(name => ({
    name,
    ...(listedFields.includes(name) ? {} : ({ isWide: true } as const)),
    read: (each: ShownSetup) => each[name],
    show: (each: ShownSetup) => [each[name]].flat().join('\n'),
  })),
]

export function formatSetup(setup: ShownSetup): string {
  return formatRecord(setup, setupColumns)
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
