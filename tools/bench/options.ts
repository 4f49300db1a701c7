import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Options of a benchmark. */
export interface Options {
  /** The rows to run; empty: all of them. */
  readonly rows: readonly string[]
  /** Seconds of one measurement. */
  readonly seconds: number
  /** Repetitions of each measurement; the median counts. */
  readonly rounds: number
  /** Number of messages of a full store. */
  readonly million: number
  /** Directory for the data directories, on the disk to measure. */
  readonly base: string
  /** Which rows: those of the embedded store, or those that compare it with a database. */
  readonly store: 'lowdb' | 'postgres'
  /** Seconds of flow that make a database old. */
  readonly age: number
  readonly profiles: string | undefined
  /** A file that gets the same page as stdout. */
  readonly out: string | undefined
}

/** Parses the arguments. Throws a TypeError for invalid ones. */
export function parseOptions(
  args: readonly string[],
  known: Readonly<Record<Options['store'], readonly string[]>>,
): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      messages: { type: 'string' },
      store: { type: 'string', default: 'lowdb' },
      age: { type: 'string' },
      dir: { type: 'string' },
      profile: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const { quick, store } = values
  if (store !== 'lowdb' && store !== 'postgres') {
    throw new TypeError('--store must be lowdb or postgres.')
  }
  const names = known[store]
  const wrong = positionals.find(row => !names.includes(row))
  if (wrong !== undefined) throw new TypeError(`Unknown row ${wrong}; known: ${names.join(', ')}.`)
  return {
    rows: positionals,
    seconds: parseNumber('seconds', values.seconds, quick ? 1 : 3),
    rounds: parseNumber('rounds', values.rounds, quick ? 1 : 3),
    store,
    age: parseNumber('age', values.age, quick ? 60 : 3600),
    million: parseNumber('messages', values.messages, quick ? 100_000 : 1_000_000),
    base: resolve(values.dir ?? tmpdir()),
    out: values.out,
    profiles: values.profile === undefined ? undefined : resolve(values.profile),
  }
}

function parseNumber(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (value > 0) return value
  throw new TypeError(`--${name} must be a number above 0.`)
}
