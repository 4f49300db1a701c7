// Preload (`node --import`) of the processes under test. The program has no code for it.
// 1. `preload.ts` reads the crash point and the control files from environment variables.
// 2. `follow-clock.ts` moves the clock of the process.
// 3. `watch-files.ts` wraps node:fs: it counts writes, syncs, renames and removals, and makes disk
// faults (`disk-faults.ts`). `watch-sockets.ts` counts requests and replies.
// 4. At the chosen action (`crash-point.ts`), the process kills itself. For a power cut,
// `durable-files.ts` first discards what was not synced.
import { isMainThread } from 'node:worker_threads'
import { type CrashPoint, CrashTrigger, preloadVariables } from './crash-point.js'
import { DurableFiles } from './durable-files.js'
import { followClock } from './follow-clock.js'
import { watchFiles } from './watch-files.js'
import { watchSockets } from './watch-sockets.js'

const {
  [preloadVariables.point]: text,
  [preloadVariables.clock]: clock,
  [preloadVariables.disk]: disk,
} = process.env

if (isMainThread && clock !== undefined) followClock(clock)

const point = text === undefined ? undefined : (JSON.parse(text) as CrashPoint)
const trigger = point === undefined ? undefined : new CrashTrigger(point)
const durable = new DurableFiles(point?.power === true)
const end = (): never => {
  if (point?.power === true) durable.discardUnsynced()
  killSelf()
}
const sockets = trigger === undefined ? undefined : watchSockets(trigger, end)
if (trigger !== undefined || disk !== undefined) {
  watchFiles({ durable, disk, trigger, end, onDurable: pending => sockets?.expect(pending) })
}

/** Ends this process with all its threads. */
function killSelf(): never {
  process.kill(process.pid, 'SIGKILL')
  // The system ends the thread when it returns from this call.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  throw new Error('The process survived SIGKILL.')
}
