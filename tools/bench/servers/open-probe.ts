// Child process: opens a data directory and sends time and memory. Needs --expose-gc.
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'

/** Result of the opening. */
export interface Opening {
  readonly seconds: number
  /** Additional bytes on the heap and outside of it, after a full garbage collection. */
  readonly heldBytes: number
  /** Additional bytes of the whole process. */
  readonly residentBytes: number
}

const collectGarbage = (globalThis as { gc?: () => void }).gc ?? (() => {})

function getHeldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const before = getHeldBytes()
const residentBefore = process.memoryUsage().rss
const from = performance.now()
const store = await openLowdbStore(process.argv[2] ?? '')
const seconds = (performance.now() - from) / 1000
const heldBytes = getHeldBytes() - before
const residentBytes = process.memoryUsage().rss - residentBefore
process.send?.({ seconds, heldBytes, residentBytes } satisfies Opening)
await store.close()
process.disconnect()
