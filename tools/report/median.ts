/** The middle value; for an even number of values, the mean of the two middle ones. */
export function getMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const high = sorted[sorted.length >> 1] ?? Number.NaN
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (low + high) / 2
}
