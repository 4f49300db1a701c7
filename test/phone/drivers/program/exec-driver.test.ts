import { chmod } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { runProgram } from '../../../../src/phone/drivers/program/run-program.js'
import { isAlive, message, quoted, usePrograms } from './exec-rig.js'

const { script, driver, note } = usePrograms()
const { signal } = new AbortController()

/** How many pipes keep this process running. */
function openPipes(): number {
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
  ])('gets %j untouched as an argument and in its environment', async text => {
    const said = note()
    const code = `import fs from 'node:fs'
      fs.writeFileSync(${said.path}, JSON.stringify([process.argv.slice(2),
        process.env.SMSRELAY_DESTINATION, process.env.SMSRELAY_TEXT, process.env.SMSRELAY_ID]))`
    const to = message.destination
    await (await driver(code)).send({ ...message, text }, signal)
    expect(JSON.parse(await said.read())).toEqual([['given', to, text], to, text, 'm-1'])
  })

  it('does not see the keys of the phone, and sees everything else', async () => {
    const said = note()
    const code = `import fs from 'node:fs'
      fs.writeFileSync(${said.path}, JSON.stringify(process.env))`
    const env = { ...process.env, SMSRELAY_APP_KEY: 'k', Smsrelay_Secret_Key: 's', MODEM: '/dev/x' }
    await (await driver(code, {}, env)).send(message, signal)
    const seen = JSON.parse(await said.read())
    expect(
      Object.keys(seen)
        .filter(name => /^smsrelay/i.test(name))
        .sort(),
    ).toEqual(['SMSRELAY_DESTINATION', 'SMSRELAY_ID', 'SMSRELAY_TEXT'])
    expect(seen.MODEM).toBe('/dev/x')
  })

  it('has nothing to read on stdin', async () => {
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
  ])('and prints %j tells the parts %j', async (stdout, receipt) => {
    expect(await (await driver(`process.stdout.write('${stdout}')`)).send(message, signal)).toEqual(
      receipt,
    )
  })

  it('may print without end: the beginning of stdout and the end of stderr are kept', async () => {
    const code = `const middle = 'x'.repeat(1 << 20)
      const write = (stream, text) => new Promise(resolve => stream.write(text, resolve))
      for (const stream of [process.stdout, process.stderr]) {
        await write(stream, '7\\nfirst')
        for (let n = 0; n < 16; n++) await write(stream, middle)
        await write(stream, 'last')
      }`
    const args = [await script(code)]
    const run = { program: process.execPath, args, env: process.env, timeout: 60_000, signal }
    const ended = await runProgram(run)
    expect(ended).toMatchObject({ by: 'exit', status: 0 })
    expect(ended.stdout).toMatch(/^7\nfirstx{3000}/)
    expect(ended.stderr).toMatch(/x{3000}last$/)
    expect(ended.stdout.length + ended.stderr.length).toBeLessThan(10_000)
  })

  it('may leave a process behind that holds its output open', async () => {
    const said = note()
    const code = `import { spawn } from 'node:child_process'
      import fs from 'node:fs'
      const code = 'setInterval(() => console.log("still here"), 20)'
      const child = spawn(process.execPath, ['-e', code], { stdio: 'inherit', detached: true })
      child.unref()
      fs.writeFileSync(${said.path}, String(child.pid))
      console.log('2')`
    const sender = await driver(code)
    onTestFinished(async () => void process.kill(Number(await said.read()), 'SIGKILL'))
    const before = openPipes()
    expect(await sender.send(message, signal)).toEqual({ parts: 2 })
    expect(openPipes()).toBe(before)
    expect(await isAlive(await said.read())).toBe(true)
  })
})

it('what a program said is read even when it comes after the end', async () => {
  const code = `import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', 'console.log("late")'], { stdio: 'inherit' }).unref()`
  const args = [await script(code)]
  const run = { program: process.execPath, args, env: process.env, timeout: 60_000, signal }
  expect(await runProgram({ ...run, drain: 60_000 })).toMatchObject({ stdout: 'late\n' })
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
  ])('%#: its reason is in the failure', async (code, reason) => {
    const failure = (await driver(code)).send(message, signal)
    await expect(failure).rejects.toMatchObject({
      name: 'DriverError',
      kind: 'retry',
      message: reason,
    })
  })

  it('by somebody else’s signal leaves it unknown whether it was sent', async () => {
    const failure = (await driver(`process.kill(process.pid, 'SIGKILL')`)).send(message, signal)
    await expect(failure).rejects.toMatchObject({ kind: 'unknown', message: 'killed by SIGKILL' })
  })
})

describe('a program that does not start', () => {
  it('is trouble of the gateway: missing', async () => {
    const missing = createDriver('exec', { command: '/nowhere/send-sms -x' })
    await expect(missing.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: 'There is no program /nowhere/send-sms.',
    })
  })

  it.skipIf(process.platform === 'win32')('is trouble of the gateway: not executable', async () => {
    const path = await script('')
    await chmod(path, 0o644)
    const locked = createDriver('exec', { command: quoted(path) })
    await expect(locked.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: `The program ${path} may not be executed.`,
    })
  })

  it('fails when the text cannot be an argument', async () => {
    const failure = (await driver('')).send({ ...message, text: 'a\0b' }, signal)
    await expect(failure).rejects.toMatchObject({ kind: 'fail' })
  })

  it('is not started after a forced stop', async () => {
    const failure = (await driver('')).send(message, AbortSignal.abort())
    await expect(failure).rejects.toMatchObject({ kind: 'trouble' })
  })
})
