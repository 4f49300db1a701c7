import { boolean, custom, option, string } from '@oclif/core/flags'
import type { FlagInput, OptionFlag } from '@oclif/core/interfaces'
import { type Setting, toVariable } from '../../settings/setting.js'
import { invalidValueError } from '../terminal/parse-values.js'

/** A flag with a whole number. Unlike oclif's, its error says which variable the value is from. */
const integer = custom<number>({
  parse: async (text, _, { name }) => {
    if (/^-?\d+$/.test(text)) return Number(text)
    throw invalidValueError(`--${name}`, text, 'is not a whole number', 'Write digits only.')
  },
})

/** Makes the flag of a setting. */
export function toFlag(name: string, row: Setting): FlagInput[string] {
  const { about: description, group: helpGroup, value: helpValue, otherwise, options } = row
  const given = {
    description,
    env: toVariable(name, row),
    ...(helpGroup === undefined ? {} : { helpGroup }),
    ...(row.default === undefined ? {} : { default: row.default as never }),
  }
  if (row.kind === 'switch') {
    return row.default === true ? boolean({ ...given, allowNo: true }) : boolean(given)
  }
  const withValue = {
    ...given,
    ...(helpValue === undefined ? {} : { helpValue }),
    ...(otherwise === undefined ? {} : { defaultHelp: async () => otherwise }),
  }
  if (options !== undefined) return option({ ...withValue, options })()
  if (row.kind === 'integer') return integer(withValue)
  if (row.kind !== 'list') return string(withValue)
  return string({ ...withValue, multiple: true, multipleNonGreedy: true })
}

export function toTextFlag(name: string, row: Setting<string>): OptionFlag<string | undefined> {
  return toFlag(name, row as Setting) as OptionFlag<string | undefined>
}
