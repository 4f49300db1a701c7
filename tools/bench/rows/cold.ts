import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import { destinations } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { keys } from '../servers/accounts.js'

const program = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url))
const runsPerRound = 7

/** Prints the processor time of a process, in microseconds, at its end. */
const printCpuTime = [
  "process.on('exit', () => {",
  '  const { user, system } = process.cpuUsage()',
  "  require('fs').writeSync(3, String(user + system))",
  '})',
].join('\n')

/** Times of one run, in milliseconds. */
interface Run {
  readonly wall: number
  readonly cpu: number
}

/** Times the program from start to end, alternating with an empty Node process. */
export async function measureColdStart({ options, children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000 })
  const relay = await children.relay(directory, 'cold')
  const preload = join(directory, 'cpu-time.cjs')
  writeFileSync(preload, printCpuTime)
  const env = {
    SMSRELAY_URL: `http://127.0.0.1:${relay.port}`,
    SMSRELAY_SECRET_KEY: keys.secretKey,
    SMSRELAY_API_KEY: keys.apiKey,
    SMSRELAY_CONFIG_DIR: directory,
  }
  const both = async (...args: string[]): Promise<Run> => ({
    wall: (await measureRun(args, env)).wall,
    cpu: (await measureRun(['--require', preload, ...args], env)).cpu,
  })
  const nothing: Run[] = []
  const version: Run[] = []
  const send: Run[] = []
  for (let run = 0; run < runsPerRound * options.rounds; run += 1) {
    nothing.push(await both('-e', '0'))
    version.push(await both(program, '--version'))
    send.push(await both(program, 'message', 'send', destinations[run] ?? '', 'Hello'))
  }
  await relay.stop()
  children.remove(directory)
  return [createFigure('--version', version, nothing), createFigure('message send', send, nothing)]
}

function createFigure(command: string, runs: readonly Run[], nothing: readonly Run[]): Figure {
  const wall = runs.map(run => run.wall)
  const idle = getMedian(nothing.map(run => run.wall))
  const cpu = getMedian(runs.map(run => run.cpu)) / getMedian(nothing.map(run => run.cpu))
  return {
    row: `smsrelay ${command}, cold`,
    value: getMedian(wall) / idle,
    unit: 'ratio',
    target: { most: 2.5 },
    p50: getMedian(wall),
    p99: Math.max(...wall),
    note:
      `node -e 0: ${idle.toFixed(0)} ms; processor time ratio ${cpu.toFixed(2)}; ` +
      `p99 is the longest of ${runs.length}`,
  }
}

/** The processor time is 0 if the process does not print it. */
async function measureRun(
  args: readonly string[],
  own: Readonly<Record<string, string>>,
): Promise<Run> {
  const env = { ...process.env, ...own }
  const from = performance.now()
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  let told = ''
  child.stdio[3]?.on('data', text => {
    told += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const closed = once(child, 'close')
  const [code] = await once(child, 'exit')
  const wall = performance.now() - from
  clearTimeout(timer)
  await closed
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`)
  return { wall, cpu: Number(told) / 1000 }
}
