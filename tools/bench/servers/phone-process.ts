import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keys } from './accounts.js'

const program = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url))

/** Answers the parent process with the phone's use of processor and memory. */
const answerUsage = [
  "process.on('message', () => {",
  '  const { user, system } = process.cpuUsage()',
  '  process.send({ cpu: user + system, memory: process.memoryUsage.rss() })',
  '})',
  "process.on('disconnect', () => process.exit())",
  'process.channel.unref()',
].join('\n')

/** Microseconds of processor time and bytes of memory that a phone has used. */
export interface PhoneUsage {
  readonly cpu: number
  readonly memory: number
}

interface PhoneOptions {
  readonly relayPort: number
  readonly smscPort: number
  readonly concurrency: number
  readonly directory: string
  /** Directory for a CPU profile. */
  readonly profiles?: string | undefined
}

/** The program `smsrelay phone` with the driver smpp, as a user has it. */
export class PhoneProcess {
  readonly #child: ReturnType<typeof spawn>

  constructor({ relayPort, smscPort, concurrency, directory, profiles }: PhoneOptions) {
    const preload = join(directory, 'answer-usage.cjs')
    writeFileSync(preload, answerUsage)
    const profile = profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles]
    const flags = ['--driver', 'smpp', '--option', 'host=127.0.0.1', '--option', `port=${smscPort}`]
    const window = ['--concurrency', String(concurrency), '--option', `window=${concurrency}`]
    const more = ['--option', 'system-id=bench', '--journal', join(directory, 'phone'), '--json']
    this.#child = spawn(
      process.execPath,
      [...profile, '--require', preload, program, 'phone', ...flags, ...window, ...more],
      {
        stdio: ['ignore', 'ignore', 2, 'ipc'],
        env: {
          ...process.env,
          SMSRELAY_URL: `http://127.0.0.1:${relayPort}`,
          SMSRELAY_SECRET_KEY: keys.secretKey,
          SMSRELAY_APP_KEY: keys.appKey,
          SMSRELAY_SMPP_PASSWORD: 'sesame',
          SMSRELAY_CONFIG_DIR: directory,
        },
      },
    )
  }

  async getUsage(): Promise<PhoneUsage> {
    this.#child.send('usage')
    const [usage] = (await once(this.#child, 'message')) as [PhoneUsage]
    return usage
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exit
  }
}
