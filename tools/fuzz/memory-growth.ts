const mebibyte = 1024 * 1024

/**
 * Measures by how many MiB the process grew since this call, at most. The process may have run
 * other tests before, so its whole memory says nothing. Throws if it grew by more than the limit.
 */
export function createGrowthMeter(maxGrowth: number): () => number {
  const start = process.memoryUsage().rss
  let most = 0
  return () => {
    most = Math.max(most, Math.round((process.memoryUsage().rss - start) / mebibyte))
    if (most > maxGrowth) throw new Error(`The process grew by ${most} MiB.`)
    return most
  }
}
