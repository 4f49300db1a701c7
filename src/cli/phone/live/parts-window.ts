/** Parts sent within a stretch of time, counted in a fixed number of slots, however many there were. */
export interface PartsWindow {
  /** Milliseconds of one slot. */
  readonly slot: number
  /** The number of the slot that `counts` ends in. */
  readonly last: number
  readonly counts: readonly number[]
}

const slotCount = 60

/** An empty window over so many milliseconds. */
export function createWindow(period: number): PartsWindow {
  return { slot: period / slotCount, last: 0, counts: [] }
}

/** The window with so many parts more, sent at this time in milliseconds. */
export function addParts(window: PartsWindow, parts: number, at: number): PartsWindow {
  const now = Math.max(Math.floor(at / window.slot), window.last)
  const counts = getRecentCounts(window, now)
  return { ...window, last: now, counts: [...counts.slice(0, -1), (counts.at(-1) ?? 0) + parts] }
}

/** Parts sent in the stretch that ends now. */
export function countParts(window: PartsWindow, at: number): number {
  const now = Math.max(Math.floor(at / window.slot), window.last)
  return getRecentCounts(window, now).reduce((all, each) => all + each, 0)
}

/** The counts that still count, with an empty slot for each that passed. */
function getRecentCounts({ last, counts }: PartsWindow, now: number): readonly number[] {
  const passed = Math.min(now - last, slotCount)
  const all = [...counts, ...new Array<number>(counts.length === 0 ? 1 : passed).fill(0)]
  return all.slice(-slotCount)
}
