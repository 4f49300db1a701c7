import type { Options } from './options.js'
import type { Figure } from './report/figure.js'
import type { Children } from './servers/children.js'

/** Settings of a row. */
export interface Bench {
  readonly options: Options
  readonly children: Children
}

/** Measures one or more rows of the table. */
export type Row = (bench: Bench) => Promise<Figure[]>

/** Number of keep-alive connections of a load. */
export const connections = 32

/** One for each connection. */
export function forEachConnection<T>(make: (number: number) => T): T[] {
  return Array.from({ length: connections }, (_, number) => make(number))
}
