// Loaded into the service before its own code: its clock shows what the parent process says, and stands still between.
let shown = Date.now()

globalThis.Date = class extends Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [shown] : given) as [number]))
  }

  static override now(): number {
    return shown
  }
} as DateConstructor

process.on('message', (at: number) => {
  shown = at
  process.send?.(at)
})
process.channel?.unref()
