import { driverKinds, findOption } from '../../../phone/drivers/driver-registry.js'
import type { Column } from '../../output/column.js'
import { formatRecord } from '../../output/record-text.js'
import { type Setup, setupFields } from './saved-setup.js'

const mask = '••••'
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
  const at = text.indexOf('=')
  const [key, value] = [text.slice(0, at), text.slice(at + 1)]
  const masked = listMasks(key)
  if (masked.includes('all')) return value.includes('{env:') ? text : `${key}=${mask}`
  return masked.includes('address') ? `${key}=${maskAddress(value)}` : text
}

/** How the drivers that have an option mask it; its key can begin with the name of a driver. */
function listMasks(key: string) {
  const name = key.replace(/^[a-z0-9-]+\.(?=[a-z])/, '')
  const tables = Object.values(driverKinds).map(({ options }) => options)
  return tables.flatMap(options =>
    [key, name].map(each => findOption(options, each)?.mask).filter(each => each !== undefined),
  )
}

function maskAddress(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, `//${mask}@`)
    .replace(/([?&][^=&]+=)(?!\{env:)[^&]+/g, `$1${mask}`)
}
