import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fullScale, mediumScale, quickScale, type Scale } from './events/scale.js'
import type { Effort } from './scenarios/scenario.js'

export interface Options {
  readonly seed: number
  /** Names of the scenarios to run; empty for all. */
  readonly scenarios: readonly string[]
  readonly effort: Effort
  /** Rows at the same time. */
  readonly parallel: number
  /** Where directories are created. */
  readonly base: string
  /** A file that gets the same page as stdout. */
  readonly out: string | undefined
  /** Whether only some scenarios run, each in one delivery mode. */
  readonly quick: boolean
  /** Which store the relay has: with PostgreSQL, the tests of several nodes run. */
  readonly store: 'lowdb' | 'postgres'
  /** Whether only the check of events runs. */
  readonly events: boolean
  readonly scale: Scale
}

/**
 * Parses the arguments. Throws a TypeError if one is invalid.
 * @param names the names of the scenarios for each store
 */
export function parseOptions(
  args: readonly string[],
  names: Readonly<Record<Options['store'], readonly string[]>>,
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      scenarios: { type: 'string' },
      store: { type: 'string', default: 'lowdb' },
      rounds: { type: 'string' },
      messages: { type: 'string' },
      parallel: { type: 'string' },
      dir: { type: 'string' },
      out: { type: 'string' },
      quick: { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      'event-count': { type: 'string' },
      kills: { type: 'string' },
    },
  })
  const { quick, events, store } = values
  if (store !== 'lowdb' && store !== 'postgres') {
    throw new TypeError(`--store must be lowdb or postgres, not ${store}.`)
  }
  const known = names[store]
  const scale = quick ? quickScale : events ? fullScale : mediumScale
  const scenarios = values.scenarios?.split(',') ?? []
  const wrong = scenarios.find(name => !known.includes(name))
  if (wrong !== undefined) {
    throw new TypeError(`Unknown scenario ${wrong}. Known: ${known.join(', ')}.`)
  }
  return {
    seed: parseNumber('seed', values.seed, randomInt(2 ** 31), 0),
    scenarios,
    effort: {
      rounds: parseNumber('rounds', values.rounds, 1, 1),
      messages: parseNumber('messages', values.messages, quick ? 15 : 100, 1),
      maxFaults: quick ? 2 : Number.POSITIVE_INFINITY,
    },
    parallel: parseNumber('parallel', values.parallel, 3, 1),
    base: resolve(values.dir ?? tmpdir()),
    out: values.out,
    quick,
    store,
    events,
    scale: {
      ...scale,
      events: parseNumber('event-count', values['event-count'], scale.events, 100),
      kills: parseNumber('kills', values.kills, scale.kills, 0),
    },
  }
}

function parseNumber(
  name: string,
  text: string | undefined,
  fallback: number,
  min: number,
): number {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isInteger(value) && value >= min) return value
  throw new TypeError(`--${name} must be an integer of at least ${min}.`)
}
