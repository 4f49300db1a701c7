// Loaded into the relay before its own code: replaces its clock by one that only the parent process
// changes.
let current = Date.now()

globalThis.Date = class extends Date {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [current] : args) as [number]))
  }

  static override now(): number {
    return current
  }
} as DateConstructor

process.on('message', (at: number) => {
  current = at
  process.send?.(at)
})
process.channel?.unref()
