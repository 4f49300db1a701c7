import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import type { Io } from '../../src/cli/terminal/io.js'
import { createClock } from '../../src/util/async/clock.js'

/** An {@link Io} in memory, with its output and exit codes. */
export interface TestIo extends Io {
  readonly signals: EventEmitter
  readonly stdin: PassThrough & { isTTY?: boolean }
  readonly stdout: Writable & { isTTY?: boolean }
  readonly stderr: Writable & { isTTY?: boolean }
  readonly out: () => string
  readonly err: () => string
  readonly codes: number[]
  readonly forced: number[]
}

interface Given {
  readonly tty?: boolean
  readonly env?: Record<string, string>
  /** Milliseconds that the clock advances at each reading. @default 1000 */
  readonly step?: number
}

/** Creates streams in memory, which are terminals with `tty`; outputs emit `written`. */
export function testIo(given: Given = {}): TestIo {
  const out = createSink()
  const err = createSink()
  const isTTY = given.tty === true ? { isTTY: true } : {}
  const codes: number[] = []
  const forced: number[] = []
  let readings = 0
  return {
    stdin: Object.assign(new PassThrough(), isTTY),
    stdout: Object.assign(out.stream, isTTY),
    stderr: Object.assign(err.stream, isTTY),
    env: given.env ?? {},
    signals: new EventEmitter(),
    clock: { ...createClock(), monotonic: () => readings++ * (given.step ?? 1000) },
    setExitCode: code => codes.push(code),
    forceExit: code => forced.push(code),
    out: out.text,
    err: err.text,
    codes,
    forced,
  }
}

export function createSink(): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      stream.emit('written')
      done()
    },
  })
  return { stream, text: () => text }
}
