import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  readonly seed: number
  /** Names of the scenarios to run. */
  readonly only: readonly string[]
  /** Where data directories are created. */
  readonly base: string
  /** A file that gets the same page as stdout. */
  readonly out: string | undefined
}

/** Parses the arguments. Throws a TypeError if one is invalid. */
export function parseOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      only: { type: 'string' },
      dir: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const only = values.only?.split(',') ?? known
  const wrong = only.find(name => !known.includes(name))
  if (wrong !== undefined) {
    throw new TypeError(`Unknown scenario ${wrong}. Known: ${known.join(', ')}.`)
  }
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
  if (!Number.isInteger(seed) || seed < 0) {
    throw new TypeError('--seed must be an integer of at least 0.')
  }
  return { seed, only, base: resolve(values.dir ?? tmpdir()), out: values.out }
}
