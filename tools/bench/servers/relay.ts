// Child process: the service on a data directory. Arguments: directory, and a file for a CPU profile of what it does
// once it serves. Stops when its parent lets go of it.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createRelay } from '../../../src/server/open-relay.js'
import { tellCpu } from './tell-cpu.js'

const [directory = '', profile] = process.argv.slice(2)
const relay = await createRelay(
  { dataDir: directory, port: 0 },
  { reportDefect: error => console.error(error), warn: sentence => console.error(sentence) },
)
await relay.start()
const session = new Session()
if (profile !== undefined) {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
}

async function stop(): Promise<void> {
  if (profile !== undefined) {
    const { profile: result } = await session.post('Profiler.stop')
    writeFileSync(profile, JSON.stringify(result))
    session.disconnect()
  }
  await relay.stop()
}

process.once('disconnect', () => void stop())
tellCpu()
process.send?.(Number(new URL(relay.url).port))
