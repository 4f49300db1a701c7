import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLiveView } from '../../../../src/cli/phone/live/live-view.js'
import { shouldShowLiveView } from '../../../../src/cli/phone/live/live-view-options.js'
import type { EndSignal } from '../../../../src/cli/terminal/io.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { testIo } from '../../streams.js'

class Terminal extends Writable {
  readonly isTTY = true
  columns = 80
  rows = 24
  text = ''
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk
    done()
  }
  picture(): string {
    return stripVTControlCharacters(this.text.slice(this.text.lastIndexOf('smsrelay phone')))
  }
}

class Keyboard extends PassThrough {
  readonly isTTY = true
  readonly raw: boolean[] = []
  setRawMode(isRaw: boolean): void {
    this.raw.push(isRaw)
  }
}

class Signals extends EventEmitter {
  declare on: (signal: EndSignal, listener: () => void) => this
}

function terminal(env: Record<string, string> = {}) {
  const clock = { ...createClock(), now: () => 0 }
  const io = { stdin: new Keyboard(), stdout: new Terminal(), signals: new Signals(), env, clock }
  return { io, open: () => openLiveView({ io, url: 'http://relay', rates: [] }) }
}

const took = { event: 'took', id: 'a', destination: '+4915112345678' } as const

describe('the live view', () => {
  // ink draws nothing where these are set.
  beforeAll(() => {
    vi.stubEnv('CI', undefined)
    vi.stubEnv('CONTINUOUS_INTEGRATION', undefined)
  })
  afterAll(() => void vi.unstubAllEnvs())

  it('draws the events of the phone, and restores the terminal', async () => {
    const { io, open } = terminal()
    const live = await open()
    live.addEvent({ event: 'ready', driver: 'modem' })
    live.addEvent(took)
    live.setQueue({ waiting: 7, due: 1, leased: 1 })
    live[Symbol.dispose]()
    expect(io.stdout.picture()).toContain('smsrelay phone · modem → http://relay')
    expect(io.stdout.picture()).toMatch(/678 +sending/)
    expect(io.stdout.picture()).toMatch(/Waiting +7/)
    expect(io.stdout.text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      io.stdout.text.lastIndexOf('\u001b[?25l'),
    )
    expect(io.stdin.raw).toEqual([true, false])
    expect(io.stdout.listenerCount('resize')).toBe(0)
  })

  it('uses colors, except with NO_COLOR', async () => {
    const colored = terminal()
    const plain = terminal({ NO_COLOR: '1' })
    for (const { open } of [colored, plain]) {
      using live = await open()
      live.addEvent({ event: 'ready', driver: 'modem' })
    }
    expect(colored.io.stdout.text).toContain('\u001b[32monline\u001b[39m')
    expect(plain.io.stdout.text).toContain('online')
    expect(plain.io.stdout.text).not.toMatch(/\u001b\[3\dm/)
  })

  it('q and Ctrl-C send SIGINT', async () => {
    const { io, open } = terminal()
    let count = 0
    io.signals.on('SIGINT', () => {
      count += 1
    })
    using _ = await open()
    io.stdin.write('q')
    io.stdin.write('\u0003')
    io.stdin.write('x')
    await new Promise(resolve => setImmediate(resolve))
    expect(count).toBe(2)
  })

  it('fits a terminal that becomes narrow and low', async () => {
    const { io, open } = terminal()
    using live = await open()
    live.addEvent({ event: 'ready', driver: 'a-driver-with-a-long-name' })
    live.addEvent(took)
    Object.assign(io.stdout, { columns: 20, rows: 6, text: '' })
    io.stdout.emit('resize')
    live[Symbol.dispose]()
    const lines = io.stdout.picture().trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(19)
  })

  it('prints received texts above the view, where they stay', async () => {
    const { io, open } = terminal()
    using live = await open()
    live.addEvent({ event: 'received', from: '+49151', text: 'on\u001b[2J my way' })
    expect(stripVTControlCharacters(io.stdout.text)).toMatch(/^\d\d:.* \+49151: on my way$/m)
    expect(io.stdout.text).not.toContain('\u001b[2J')
  })
})

describe('shouldShowLiveView', () => {
  const io = (env: Record<string, string> = {}, size = { columns: 80, rows: 24 }) => {
    const made = testIo({ tty: true, env })
    Object.assign(made.stdout, size)
    return made
  }

  it('is true on a terminal, also without colors', () => {
    expect(shouldShowLiveView({}, io())).toBe(true)
    expect(shouldShowLiveView({}, io({ NO_COLOR: '1', CI: 'false' }))).toBe(true)
  })

  it.each([
    ['with --json', { json: true }, io()],
    ['with --plain', { plain: true }, io()],
    ['with --once', { once: true }, io()],
    ['in CI', {}, io({ CI: 'true' })],
    ['on a dumb terminal', {}, io({ TERM: 'dumb' })],
    ['on a terminal without a size', {}, io({}, { columns: 0, rows: 0 })],
    ['in a pipe', {}, testIo()],
  ])('is false %s', (_, flags, given) => {
    expect(shouldShowLiveView(flags, given)).toBe(false)
  })
})
