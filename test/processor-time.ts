/** Measures the milliseconds that a processor works on a task: other programs do not count. */
export async function measureProcessorTime(task: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
