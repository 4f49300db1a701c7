import { chmod } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { runProgram } from '../../../../src/phone/drivers/program/run-program.js'
import { createFastClock } from '../../../util/async/fast-clock.js'
import { isAlive, message, quoted, usePrograms } from './exec-rig.js'

const { script, driver, createFile } = usePrograms()
const { signal } = new AbortController()

/** The number of pipes that keep this process running. */
function countOpenPipes(): number {
  return process.getActiveResourcesInfo().filter(each => each === 'PipeWrap').length
}

describe('a program that sends', () => {
  it.each([
    'Hello',
    '-rf --help',
    '$(touch x) `id` ; rm * | cat > y & %PATH% "quoted" \'single\' \\',
    'two\nlines\r\nand\ttabs',
    'grüße 😀',
    ' ',
  ])('gets %j unchanged as an argument and in its environment', async text => {
    const file = createFile()
    const code = `import fs from 'node:fs'
      fs.writeFileSync(${file.path}, JSON.stringify([process.argv.slice(2),
        process.env.SMSRELAY_DESTINATION, process.env.SMSRELAY_TEXT, process.env.SMSRELAY_ID]))`
    const to = message.destination
    await (await driver(code)).send({ ...message, text }, signal)
    expect(JSON.parse(await file.read())).toEqual([['given', to, text], to, text, 'm-1'])
  })

  it('does not get the keys of the phone, but all other variables', async () => {
    const file = createFile()
    const code = `import fs from 'node:fs'
      fs.writeFileSync(${file.path}, JSON.stringify(process.env))`
    const env = { ...process.env, SMSRELAY_APP_KEY: 'k', Smsrelay_Secret_Key: 's', MODEM: '/dev/x' }
    await (await driver(code, {}, env)).send(message, signal)
    const seen = JSON.parse(await file.read())
    expect(
      Object.keys(seen)
        .filter(name => /^smsrelay/i.test(name))
        .sort(),
    ).toEqual(['SMSRELAY_DESTINATION', 'SMSRELAY_ID', 'SMSRELAY_TEXT'])
    expect(seen.MODEM).toBe('/dev/x')
  })

  it('has an empty stdin', async () => {
    const code = `for await (const _ of process.stdin) process.exit(9)`
    expect(await (await driver(code)).send(message, signal)).toEqual({})
  })

  it.each([
    ['3\\nfurther lines', { parts: 3 }],
    [' 255 ', { parts: 255 }],
    ['0', {}],
    ['256', {}],
    ['sent 2', {}],
    ['\\n2', {}],
    ['', {}],
  ])('and prints %j has the receipt %j', async (stdout, receipt) => {
    expect(await (await driver(`process.stdout.write('${stdout}')`)).send(message, signal)).toEqual(
      receipt,
    )
  })

  it('may print long output: the beginning of stdout and the end of stderr are read', async () => {
    const code = `const middle = 'x'.repeat(1 << 20)
      const write = (stream, text) => new Promise(resolve => stream.write(text, resolve))
      for (const stream of [process.stdout, process.stderr]) {
        await write(stream, '7\\nfirst')
        for (let n = 0; n < 16; n++) await write(stream, middle)
        await write(stream, 'last')
      }`
    const args = [await script(code)]
    const options = { args, env: process.env, timeout: 60_000, signal, clock: createFastClock(1) }
    const ended = await runProgram({ program: process.execPath, ...options })
    expect(ended).toMatchObject({ by: 'exit', status: 0 })
    expect(ended.stdout).toMatch(/^7\nfirstx{3000}/)
    expect(ended.stderr).toMatch(/x{3000}last$/)
    expect(ended.stdout.length + ended.stderr.length).toBeLessThan(10_000)
  })

  it('may leave a background process that keeps its output open', async () => {
    const file = createFile()
    const code = `import { spawn } from 'node:child_process'
      import fs from 'node:fs'
      const code = 'setInterval(() => console.log("still here"), 20)'
      const child = spawn(process.execPath, ['-e', code], { stdio: 'inherit', detached: true })
      child.unref()
      fs.writeFileSync(${file.path}, String(child.pid))
      console.log('2')`
    const sender = await driver(code)
    onTestFinished(async () => void process.kill(Number(await file.read()), 'SIGKILL'))
    const before = countOpenPipes()
    expect(await sender.send(message, signal)).toEqual({ parts: 2 })
    expect(countOpenPipes()).toBe(before)
    expect(await isAlive(await file.read())).toBe(true)
  })
})

it('output that comes after the end of a program is read', async () => {
  const code = `import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', 'console.log("late")'], { stdio: 'inherit' }).unref()`
  const args = [await script(code)]
  const clock = createFastClock(1 / 100)
  const run = { program: process.execPath, args, env: process.env, timeout: 60_000, signal, clock }
  expect(await runProgram(run)).toMatchObject({ stdout: 'late\n' })
})

describe('a program that fails', () => {
  it.each([
    [`process.exitCode = 3`, 'exit status 3'],
    [`console.log('7'); process.exitCode = 1`, 'exit status 1'],
    [`console.error('no signal'); process.exitCode = 1`, 'no signal'],
    [
      `console.error('\\x1b[31mred\\x1b[0m\\n\\n  two\\tlines  \\n'); process.exitCode = 1`,
      'red two lines',
    ],
    [
      `console.error('a'.repeat(9000) + 'b'.repeat(499)); process.exitCode = 1`,
      `a${'b'.repeat(499)}`,
    ],
  ])('%#: the error has the end of stderr', async (code, reason) => {
    const failure = (await driver(code)).send(message, signal)
    await expect(failure).rejects.toMatchObject({
      name: 'DriverError',
      kind: 'retry',
      message: reason,
    })
  })

  it('by a signal is unknown', async () => {
    const failure = (await driver(`process.kill(process.pid, 'SIGKILL')`)).send(message, signal)
    await expect(failure).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('SIGKILL'),
    })
  })
})

describe('a program that does not start', () => {
  it('because it is missing is trouble', async () => {
    const missing = createDriver('exec', { command: '/nowhere/send-sms -x' })
    await expect(missing.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('/nowhere/send-sms'),
    })
  })

  it.skipIf(process.platform === 'win32')('because it is not executable is trouble', async () => {
    const path = await script('')
    await chmod(path, 0o644)
    const locked = createDriver('exec', { command: quoted(path) })
    await expect(locked.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining(path),
    })
  })

  it('because the text cannot be an argument fails', async () => {
    const failure = (await driver('')).send({ ...message, text: 'a\0b' }, signal)
    await expect(failure).rejects.toMatchObject({ kind: 'fail' })
  })

  it('because of a forced stop is trouble', async () => {
    const failure = (await driver('')).send(message, AbortSignal.abort())
    await expect(failure).rejects.toMatchObject({ kind: 'trouble' })
  })
})
