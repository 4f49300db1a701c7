import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Effort } from './cells/cell.js'
import { brief, published, type Scale, shorter } from './events/scale.js'

/** Options of a run. */
export interface Options {
  readonly seed: number
  /** Names of the cells to run; empty: all of them. */
  readonly cells: readonly string[]
  readonly effort: Effort
  /** Rows at the same time. */
  readonly parallel: number
  /** Directory for the directories of the run. */
  readonly base: string
  /** Whether only some cells run, each in one delivery mode. */
  readonly quick: boolean
  /** Whether only the proof of events runs; otherwise a shorter one follows the matrix. */
  readonly events: boolean
  readonly scale: Scale
}

/** Parses the arguments. Throws a TypeError for invalid ones. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      cells: { type: 'string' },
      rounds: { type: 'string' },
      messages: { type: 'string' },
      parallel: { type: 'string' },
      dir: { type: 'string' },
      quick: { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      'event-count': { type: 'string' },
      kills: { type: 'string' },
    },
  })
  const { quick, events } = values
  const scale = quick ? brief : events ? published : shorter
  const cells = values.cells?.split(',') ?? []
  const wrong = cells.find(name => !known.includes(name))
  if (wrong !== undefined) throw new TypeError(`Unknown cell ${wrong}; known: ${known.join(', ')}.`)
  return {
    seed: number('seed', values.seed, randomInt(2 ** 31), 0),
    cells,
    effort: {
      rounds: number('rounds', values.rounds, 1, 1),
      messages: number('messages', values.messages, quick ? 15 : 100, 1),
      maxFaults: quick ? 2 : Number.POSITIVE_INFINITY,
    },
    parallel: number('parallel', values.parallel, 3, 1),
    base: resolve(values.dir ?? tmpdir()),
    quick,
    events,
    scale: {
      ...scale,
      events: number('event-count', values['event-count'], scale.events, 100),
      kills: number('kills', values.kills, scale.kills, 0),
    },
  }
}

function number(name: string, text: string | undefined, otherwise: number, least: number): number {
  const value = text === undefined ? otherwise : Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`--${name} must be a whole number from ${least}.`)
}
