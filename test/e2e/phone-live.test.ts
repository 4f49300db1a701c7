import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome, program, serve } from './program.js'

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const isThere = hasScript.includes('util-linux')
if (!isThere) console.warn('Skipped: the live view on a terminal. Install script (util-linux).')

/** Runs the phone on its own terminal. */
function onTerminal(env: NodeJS.ProcessEnv, flags: string) {
  const steps = [
    // After the phone has restored the terminal, Ctrl-C reaches the shell too.
    ...['trap : INT', 'stty cols 90 rows 20'],
    `${process.execPath} ${program} phone ${flags}`,
    ...['echo "ended $?"', 'stty -a'],
  ]
  const child = spawn('script', ['-qec', steps.join('; '), '/dev/null'], { env, stdio: 'pipe' })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let text = ''
  let look = () => {}
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
    look()
  })
  return {
    type: (keys: string) => child.stdin.write(keys),
    text: () => text,
    closed,
    until: (wanted: RegExp) =>
      new Promise<void>((resolve, reject) => {
        look = () => wanted.test(text) && resolve()
        closed.then(() => reject(new Error(`Ended without ${wanted}:\n${text}`)), reject)
        look()
      }),
  }
}

test.skipIf(!isThere)('a terminal shows the live view and is restored', async () => {
  const home = await makeHome()
  await serve(home)
  const env = { ...home.env, TERM: 'xterm', CI: undefined, CONTINUOUS_INTEGRATION: undefined }
  await home.run(['message', 'send', '+12025550123', 'Hello'])
  const terminal = onTerminal(env, '--driver simulate')
  await terminal.until(/•••123 .*sent/)
  terminal.type('q')
  await terminal.until(/ended 0.*isig/s)
  await terminal.closed
  const text = terminal.text()
  expect(text).toMatch(/Relay.*online/)
  expect(text).toMatch(/1 sent, 0 failed/)
  expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'))
  expect(text.slice(text.lastIndexOf('ended'))).toMatch(/ icanon .* echo /s)
})

test.skipIf(!isThere)('a second Ctrl-C gives up the message in progress', async () => {
  const home = await makeHome()
  await serve(home)
  const env = { ...home.env, TERM: 'xterm', CI: undefined, CONTINUOUS_INTEGRATION: undefined }
  await home.run(['message', 'send', '+12025550123', 'Hello'])
  const terminal = onTerminal(env, '--driver simulate --delay 5m')
  await terminal.until(/•••123 .*sending/)
  terminal.type('\u0003')
  await terminal.until(/Stopping/)
  // A signal within 300 ms after another is ignored.
  const typing = setInterval(() => terminal.type('\u0003'), 400)
  onTestFinished(() => clearInterval(typing))
  await terminal.until(/ended 130/)
  clearInterval(typing)
})

test.skipIf(!isThere)('--plain prints lines on a terminal', async () => {
  const home = await makeHome()
  await serve(home)
  const terminal = onTerminal(
    { ...home.env, TERM: 'xterm', CI: undefined },
    '--driver simulate --plain',
  )
  await terminal.until(/Z idle/)
  terminal.type('\u0003')
  await terminal.until(/ended 0/)
  expect(terminal.text()).not.toContain('\u001b[?25l')
})
