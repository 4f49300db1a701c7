import { describe, expect, it } from 'vitest'
import { runProgram } from '../../../../src/phone/drivers/program/run-program.js'
import { createFastClock } from '../../../util/async/fast-clock.js'
import { isAlive, message, usePrograms } from './exec-rig.js'

const { script, driver, createFile } = usePrograms()
const { signal } = new AbortController()

describe('a program that takes too long', () => {
  const hang = 'setInterval(() => {}, 1000)'

  it('is stopped, and the result is unknown', async () => {
    const file = createFile()
    const code = `import fs from 'node:fs'
      process.on('SIGTERM', () => { console.error('giving up'); process.exit(0) })
      fs.writeFileSync(${file.path}, String(process.pid)); ${hang}`
    const failure = (await driver(code, { timeout: '1' })).send(message, signal)
    await expect(failure).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringMatching(/1 s.*giving up/),
    })
    expect(await isAlive(await file.read())).toBe(false)
  })

  it('is stopped with all processes that it started', async () => {
    const file = createFile()
    const code = `import { spawn } from 'node:child_process'
      import fs from 'node:fs'
      const deaf = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'
      const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.once('data', () => fs.writeFileSync(${file.path}, String(child.pid)))
      ${hang}`
    const stop = new AbortController()
    const failure = (await driver(code)).send(message, stop.signal)
    const seen = expect(failure).rejects.toMatchObject({
      kind: 'unknown',
    })
    await file.written()
    stop.abort()
    await seen
    const pid = await file.read()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('is killed if it ignores SIGTERM', async () => {
    const file = createFile()
    const code = `import fs from 'node:fs'
      process.on('SIGTERM', () => {})
      fs.writeFileSync(${file.path}, String(process.pid)); ${hang}`
    const stop = new AbortController()
    const args = [await script(code)]
    const ended = runProgram({
      program: process.execPath,
      args,
      env: process.env,
      timeout: 60_000,
      signal: stop.signal,
      clock: createFastClock(20),
    })
    await file.written()
    stop.abort()
    expect(await ended).toMatchObject({ by: 'stop' })
    expect(await isAlive(await file.read())).toBe(false)
  })
})
