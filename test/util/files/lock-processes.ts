import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const child = `
import { lockDirectory } from './util/files/directory-lock.js'
let lock
process.on('message', async ({ take, at }) => {
  while (Date.now() < at);
  try {
    if (take === undefined) await lock?.release()
    else lock = await lockDirectory(take)
    process.send('done')
  } catch (error) {
    process.send(error.code)
  }
})
process.send('ready')
`

/** Compiles the lock into a folder; returns the path of a program that uses it. */
export async function compileLock(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  const places = ['--outDir', folder, '--rootDir', join(root, 'src')]
  const source = join(root, 'src/util/files/directory-lock.ts')
  const flags = ['--ignoreConfig', '--noCheck', ...target, ...places, source]
  await promisify(execFile)(process.execPath, [tsc, ...flags], { cwd: root })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'child.js'), child)
  return join(folder, 'child.js')
}

/** A process that locks directories on request. */
export class LockProcess {
  readonly #process: ChildProcess

  private constructor(process: ChildProcess) {
    this.#process = process
  }

  /** Starts it with the words of `command` before it. */
  static async start(program: string, command: readonly string[] = []): Promise<LockProcess> {
    const [execPath = process.execPath, ...execArgv] = [...command, process.execPath]
    const started = new LockProcess(fork(program, { execPath, execArgv }))
    onTestFinished(async () => await started.kill())
    await once(started.#process, 'message')
    return started
  }

  /** Resolves to `done` or the code of the error. */
  async take(directory: string, at = 0): Promise<unknown> {
    return await this.#request({ take: directory, at })
  }

  async release(): Promise<void> {
    await this.#request({})
  }

  /** Ends the process without a clean-up. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }

  async #request(request: object): Promise<unknown> {
    const reply = once(this.#process, 'message')
    this.#process.send(request)
    return (await reply)[0]
  }
}
