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

/** Compiles the lock for processes of its own, into a folder; returns the program that they run. */
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

/** A process that takes locks when it is told to. */
export class LockProcess {
  readonly #process: ChildProcess

  private constructor(process: ChildProcess) {
    this.#process = process
  }

  static async start(program: string): Promise<LockProcess> {
    const started = new LockProcess(fork(program))
    onTestFinished(async () => await started.kill())
    await once(started.#process, 'message')
    return started
  }

  /** Resolves to `done`, or the code of the error. */
  async take(directory: string, at = 0): Promise<unknown> {
    return await this.#ask({ take: directory, at })
  }

  async release(): Promise<void> {
    await this.#ask({})
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }

  async #ask(what: object): Promise<unknown> {
    const answer = once(this.#process, 'message')
    this.#process.send(what)
    return (await answer)[0]
  }
}
