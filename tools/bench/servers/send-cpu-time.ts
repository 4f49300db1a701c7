/** Sends the used processor time in microseconds to the parent process on request. */
export function sendCpuTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
}
