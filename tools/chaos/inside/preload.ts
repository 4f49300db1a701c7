// Loaded into the program's processes with node --import. It ends them at an exact point, moves
// their clock and fills their disk; the program itself is unchanged.
import { isMainThread } from 'node:worker_threads'
import { followClock } from './clock.js'
import { die } from './die.js'
import { Durable } from './durable.js'
import { watchFiles } from './files.js'
import { type Point, Trigger, variables } from './point.js'
import { watchSockets } from './sockets.js'

const { [variables.point]: text, [variables.clock]: clock, [variables.disk]: disk } = process.env

if (isMainThread && clock !== undefined) followClock(clock)

const point = text === undefined ? undefined : (JSON.parse(text) as Point)
const trigger = point === undefined ? undefined : new Trigger(point)
const durable = new Durable(point?.power === true)
const end = (): never => {
  if (point?.power === true) durable.lose()
  die()
}
const sockets = trigger === undefined ? undefined : watchSockets(trigger, end)
if (trigger !== undefined || disk !== undefined) {
  watchFiles({ durable, disk, trigger, end, onDurable: pending => sockets?.expect(pending) })
}
