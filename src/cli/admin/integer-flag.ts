import { custom } from '@oclif/core/flags'
import { invalidValueError } from '../terminal/parse-values.js'

/** A flag with a whole number. Unlike oclif's, its error says which variable the value is from. */
export const integer = custom<number>({
  parse: async (text, _, { name }) => {
    if (/^-?\d+$/.test(text)) return Number(text)
    throw invalidValueError(`--${name}`, text, 'is not a whole number', 'Write digits only.')
  },
})
