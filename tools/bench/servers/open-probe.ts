// Child process: opens the store of a data directory and tells how long that took and what it holds. Needs --expose-gc.
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'

/** What opening came to. */
export interface Opening {
  readonly seconds: number
  /** Bytes on the heap and beside it, after a full collection, more than before. */
  readonly heldBytes: number
  /** Bytes of the whole process, more than before. */
  readonly residentBytes: number
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const before = held()
const residentBefore = process.memoryUsage().rss
const from = performance.now()
const store = await openLowdbStore(process.argv[2] ?? '')
const seconds = (performance.now() - from) / 1000
const heldBytes = held() - before
const residentBytes = process.memoryUsage().rss - residentBefore
process.send?.({ seconds, heldBytes, residentBytes } satisfies Opening)
await store.close()
process.disconnect()
