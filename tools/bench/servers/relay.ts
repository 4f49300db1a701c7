// Child process: a relay. Arguments: its settings as JSON, and a file for a CPU profile of its work
// after the start. It ends when its parent disconnects.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createRelay } from '../../../src/server/open-relay.js'
import { sendCpuTime } from './send-cpu-time.js'

const [settings = '{}', profile] = process.argv.slice(2)
const relay = await createRelay(
  { ...JSON.parse(settings), port: 0 },
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
sendCpuTime()
process.send?.(Number(new URL(relay.url).port))
