import type { Rate } from '../../../phone/pace/rate.js'
import type { Io } from '../../io.js'
import { listenForKeys } from '../../keys.js'
import { oneLine } from '../../text.js'
import { follow } from './follow.js'
import { type Ink, loadInk } from './ink.js'
import { type LiveLine, liveLines, type Tone } from './live-lines.js'
import { type AnyEvent, initialState, type LiveState, type Queue, withQueue } from './live-state.js'
import { wantsColor } from './wants-live.js'

/** What {@link openLive} works with. */
export interface LiveOptions {
  readonly io: Pick<Io, 'stdin' | 'stdout' | 'signals' | 'env'>
  /** Address of the relay. */
  readonly url: string
  readonly rates: readonly Rate[]
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The view of a running phone; gives the terminal back when it is disposed of. */
export interface Live extends Disposable {
  tell(event: AnyEvent): void
  /** Shows what waits at the relay, or nothing of it. */
  queue(queue: Queue | undefined): void
}

/** Milliseconds. */
const second = 1000
const shortest = 100

const colors: Readonly<Record<Tone, object>> = {
  good: { color: 'green' },
  bad: { color: 'red' },
  careful: { color: 'yellow' },
  faint: { dimColor: true },
  strong: { bold: true },
}
const withoutColors = { strong: colors.strong }

/**
 * Opens the live view: ink draws on stdout, and q asks for the end as Ctrl-C does. Texts that come in are kept nowhere
 * else, so they are printed above it too, where they stay. Throws `configuration`.
 */
export async function openLive({ io, url, rates, now = Date.now }: LiveOptions): Promise<Live> {
  const ink = await loadInk()
  const stdout = io.stdout as NodeJS.WriteStream
  const stdin = io.stdin as NodeJS.ReadStream
  let state = initialState(rates, now())
  const frame = frameOf(ink, wantsColor(io.env))
  const draw = () => frame.view(linesOf(state, { stdout, url, now: now() }))
  const options = { stdout, stdin, stderr: stdout, exitOnCtrlC: false, patchConsole: false }
  const instance = ink.render(draw(), { ...options, maxFps: second / shortest })
  const show = () => instance.rerender(draw())
  const soon = atMostEvery(shortest, show)
  const ticking = setInterval(show, second)
  stdout.on('resize', show)
  const end = () => void io.signals.emit('SIGINT')
  const releaseKeys = listenForKeys(io, { q: end, Q: end })
  return {
    tell: event => {
      state = follow(state, event, now())
      if ('text' in event) frame.print(`${clock(now())} ${event.from}: ${oneLine(event.text)}\n`)
      soon.call()
    },
    queue: queue => {
      state = withQueue(state, queue)
      soon.call()
    },
    [Symbol.dispose]() {
      clearInterval(ticking)
      soon.cancel()
      stdout.off('resize', show)
      releaseKeys()
      show()
      instance.unmount()
    },
  }
}

function linesOf(
  state: LiveState,
  { stdout, url, now }: { stdout: NodeJS.WriteStream; url: string; now: number },
): LiveLine[] {
  const { columns, rows } = stdout
  return liveLines(state, { columns, rows, url, now, clock })
}

/** Local time, as the clock on the wall has it. */
function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/** Makes the picture of lines, and prints above the one that is shown. */
function frameOf({ Box, Text, createElement, useStdout }: Ink, colored: boolean) {
  const styles: Partial<Record<Tone, object>> = colored ? colors : withoutColors
  let print: (text: string) => void = () => {}
  const row = (line: LiveLine, at: number) => {
    const pieces = line.map(({ text, tone }, key) =>
      createElement(Text, { key, ...(tone === undefined ? {} : styles[tone]) }, text),
    )
    // A row without text would take no line.
    const isEmpty = line.every(({ text }) => text === '')
    return createElement(Text, { key: at, wrap: 'truncate' }, isEmpty ? ' ' : pieces)
  }
  const Frame = ({ lines }: { readonly lines: readonly LiveLine[] }) => {
    print = useStdout().write
    return createElement(Box, { flexDirection: 'column' }, lines.map(row))
  }
  return {
    view: (lines: readonly LiveLine[]) => createElement(Frame, { lines }),
    print: (text: string) => print(text),
  }
}

/** Calls at once what has not been called for a while, and at its end what was asked for meanwhile. */
function atMostEvery(milliseconds: number, work: () => void) {
  let waiting: NodeJS.Timeout | undefined
  let again = false
  const rest = () => {
    waiting = undefined
    if (again) run()
  }
  const run = () => {
    again = false
    waiting = setTimeout(rest, milliseconds)
    work()
  }
  return {
    call: () => {
      if (waiting === undefined) run()
      else again = true
    },
    cancel: () => clearTimeout(waiting),
  }
}
