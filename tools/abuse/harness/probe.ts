// Loaded into the relay's process with `--import`. Answers each message of the tool with the
// longest turn of the event loop since the message before it.
import { monitorTurns } from '../../../src/util/async/turn-monitor.js'
import type { Measurement } from './relay-process.js'

/** Milliseconds between two measurements; a turn is reported shorter by up to this time. */
const interval = 2

let longest = { elapsed: 0, computed: 0 }
const monitor = monitorTurns(({ elapsed, computed }) => {
  longest = {
    elapsed: Math.max(longest.elapsed, elapsed),
    computed: Math.max(longest.computed, computed),
  }
}, interval)
monitor.start()

process.on('message', () => {
  const { elapsed, computed } = longest
  const measurement: Measurement = { elapsed, computed, resident: process.memoryUsage().rss }
  longest = { elapsed: 0, computed: 0 }
  process.send?.(measurement)
})
process.channel?.unref()
