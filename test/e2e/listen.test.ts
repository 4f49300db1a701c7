import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver } from '../conformance/receiver.js'
import { type Home, makeHome, program, serve } from './program.js'

async function send(home: Home, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    expect((await home.run(['message', 'send', '+12025550123', 'hi', '--json'])).code).toBe(0)
  }
}

/** Starts the relay again with the same data and port. */
async function serveAt(home: Home, port: string) {
  const data = join(home.dir, 'data')
  const running = home.start(['serve', '--port', port, '--data', data, '--json'])
  const listening = await running.line(line => line.event === 'listening')
  return { ...running, url: String(listening.url) }
}

test('a killed listener loses no event, also while the relay restarts', async () => {
  const home = await makeHome()
  const seen: number[] = []
  let onWebhook = (): void => {}
  const receiver = await openReceiver(webhook => {
    seen.push(Number(webhook.headers['webhook-sequence']))
    onWebhook()
    return { status: 204 }
  })
  const waitForSequence = (sequence: number) =>
    new Promise<void>(resolve => {
      onWebhook = () => {
        if (seen.includes(sequence)) resolve()
      }
      onWebhook()
    })
  const listen = async () => {
    const argv = ['hook', 'listen', '--stream', '--forward-to', receiver.url, '--json']
    const running = home.start(argv)
    await running.line(line => line.type === 'ready')
    return running
  }

  let relay = await serve(home)
  const { port } = new URL(relay.url)
  let listener = await listen()
  await send(home, 3)
  await waitForSequence(2)
  await listener.end('SIGKILL')
  await send(home, 1)
  await relay.end('SIGKILL')
  relay = await serveAt(home, port)
  await send(home, 1)
  listener = await listen()
  await waitForSequence(5)
  await relay.end('SIGKILL')
  await listener.line(line => line.type === 'reconnecting')
  relay = await serveAt(home, port)
  await send(home, 2)
  await waitForSequence(7)
  expect(await listener.end('SIGTERM')).toBe(0)
  const { stdout, stderr } = await listener.ended
  expect(stderr).toBe('')
  const types = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  expect(types.at(-1)).toBe('end')
  expect([...new Set(seen)]).toEqual([1, 2, 3, 4, 5, 6, 7])
  // Only the webhook that was in progress at the kill is repeated, so the order stays.
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  await relay.end('SIGTERM')
})

describe('with a running relay', () => {
  let home: Home
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    home = await makeHome(undefined, {}, close => closing.unshift(close))
    await serve(home)
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  test('Ctrl-C ends it after a garbage collection', async () => {
    const collect = '--import=data:text/javascript,setInterval(gc,20).unref()'
    const command = [process.execPath, '--expose-gc', collect, program]
    const collecting = await makeHome(command, home.env)
    const listener = collecting.start(['hook', 'listen', '--stream', '--json'])
    await listener.line(line => line.type === 'ready')
    await send(home, 1)
    await listener.line(line => line.type === 'event')
    expect(await listener.end('SIGINT')).toBe(0)
  })

  test('a closed stdout ends it without an error at the next line', async () => {
    const listener = home.start(['hook', 'listen', '--stream', '--json'])
    await listener.line(line => line.type === 'ready')
    listener.child.stdout.destroy()
    await send(home, 2)
    expect(await listener.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
