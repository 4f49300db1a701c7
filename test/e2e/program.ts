import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'

/** The built program. */
export const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

/** The result of a command. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The home directory of one test, with profiles and data; it is removed with the test. */
export interface Home {
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  /** Runs a command to its end. */
  run(args: readonly string[], input?: string): Promise<Finished>
  /** Starts a command that keeps running. */
  start(args: readonly string[]): Running
}

/** A running command; the test kills it at its end. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves to the next line of stdout, parsed as JSON, for which `fits` is true. */
  line(fits: (value: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** Sends a signal and waits for the exit; resolves to the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  readonly ended: Promise<Finished>
}

/** Registers a function to call at the end, in reverse order. */
export type AtEnd = (close: () => Promise<void>) => void

/**
 * Creates a {@link Home}. `command` is the program to run, `more` extends its environment. The home
 * is removed when the test ends, or when `atEnd` says so.
 */
export async function makeHome(
  command: readonly string[] = [process.execPath, program],
  more: NodeJS.ProcessEnv = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Home> {
  const dir = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  atEnd(async () => await rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  const env = { ...withoutSettings(), SMSRELAY_CONFIG_DIR: join(dir, 'config'), HOME: dir, ...more }
  const start = (args: readonly string[]): Running => follow(command, args, { env, atEnd })
  const run = async (args: readonly string[], input = ''): Promise<Finished> => {
    const running = start(args)
    running.child.stdin.end(input)
    return await running.ended
  }
  return { dir, env, run, start }
}

/** A relay that listens. */
export type Listening = Running & {
  readonly url: string
  /** The URL of its SMTP server, if it has one. */
  readonly smtp?: string
}

/** Starts a relay with the data directory of a home; resolves when it listens. */
export async function serve(home: Home, ...flags: string[]): Promise<Listening> {
  const data = join(home.dir, 'data')
  const running = home.start(['serve', '--port', '0', '--data', data, '--json', ...flags])
  const listening = await running.line(value => value.event === 'listening')
  return { ...running, url: String(listening.url), ...mailOf(listening) }
}

function mailOf({ smtp }: Record<string, unknown>): { smtp?: string } {
  return typeof smtp === 'string' ? { smtp } : {}
}

function withoutSettings(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(SMSRELAY_|XDG_|PG)/.test(name))
  return Object.fromEntries(kept)
}

function follow(
  command: readonly string[],
  args: readonly string[],
  { env, atEnd }: { env: NodeJS.ProcessEnv; atEnd: AtEnd },
): Running {
  const [file = '', ...before] = command
  const child = spawn(file, [...before, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  const out = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.stderr += text
  })
  const closed = once(child, 'close')
  const ended = closed.then(([code]) => ({ code: code as number | null, ...out }))
  atEnd(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return { child, line: lineReader(child.stdout, ended), end: endWith(child, ended), ended }
}

function endWith(child: { kill(signal: NodeJS.Signals): boolean }, ended: Promise<Finished>) {
  return async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await ended).code
  }
}

function lineReader(stdout: Readable, ended: Promise<Finished>): Running['line'] {
  const lines: Record<string, unknown>[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: stdout }).on('line', text => {
    if (text.startsWith('{')) lines.push(JSON.parse(text))
    for (const wake of waiting.splice(0)) wake()
  })
  let next = 0
  return async fits => {
    for (;;) {
      for (; next < lines.length; next += 1) {
        const line = lines[next]
        if (line !== undefined && fits(line)) {
          next += 1
          return line
        }
      }
      const more = new Promise<void>(resolve => waiting.push(resolve))
      const end = await Promise.race([more, ended])
      if (end !== undefined && next >= lines.length) {
        throw new Error(`The program ended (${end.code}) before that line.\n${end.stderr}`)
      }
    }
  }
}

/** The directory and the variables of a shell. */
export interface Shell {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Makes a shell whose `smsrelay` and `npx smsrelay` are the built program. */
export async function makeShell(home: Home, env: Readonly<Record<string, string>>): Promise<Shell> {
  const bin = join(home.dir, 'bin')
  await mkdir(bin)
  const scripts = { smsrelay: 'exec NODE PROGRAM "$@"', npx: 'shift; exec NODE PROGRAM "$@"' }
  for (const [name, script] of Object.entries(scripts)) {
    const text = script.replace('NODE', process.execPath).replace('PROGRAM', program)
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(bin, name), 0o755)
  }
  const path = [bin, process.env.PATH].join(delimiter)
  return { cwd: home.dir, env: { ...home.env, ...env, PATH: path } }
}
