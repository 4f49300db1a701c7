import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'
import type { Io } from '../../terminal/io.js'
import { listenForKeys } from '../../terminal/keypress.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import { type LiveLine, renderLiveLines, type TextPiece, type Tone } from './live-lines.js'
import { applyEvent } from './live-reducer.js'
import {
  type AnyEvent,
  createLiveState,
  type LiveQueue,
  type LiveState,
  replaceQueue,
} from './live-state.js'
import { shouldUseColor } from './live-view-options.js'
import { type Ink, loadInk } from './load-ink.js'

/** What {@link openLive} works with. */
export interface LiveViewOptions {
  readonly io: Pick<Io, 'stdin' | 'stdout' | 'signals' | 'env'>
  /** Address of the relay. */
  readonly url: string
  readonly rates: readonly PartsRate[]
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The view of a running phone; gives the terminal back when it is disposed of. */
export interface LiveView extends Disposable {
  addEvent(event: AnyEvent): void
  /** Shows what waits at the relay, or nothing of it. */
  setQueue(queue: LiveQueue | undefined): void
}

/** Milliseconds. */
const refreshInterval = 1000
const minRedrawInterval = 250

/** What turns a style on and off again (ECMA-48 section 8.3.117). */
const styles: Readonly<Record<Tone, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  careful: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
}

/**
 * Opens the live view: ink draws on stdout, and q asks for the end as Ctrl-C does. Texts that come in are kept nowhere
 * else, so they are printed above it too, where they stay. Throws `configuration`.
 */
export async function openLiveView({
  io,
  url,
  rates,
  now = Date.now,
}: LiveViewOptions): Promise<LiveView> {
  const ink = await loadInk()
  const stdout = io.stdout as NodeJS.WriteStream
  const stdin = io.stdin as NodeJS.ReadStream
  let state = createLiveState(rates, now())
  const frame = createFrame(ink, shouldUseColor(io.env))
  const draw = () => frame.view(createLines(state, { stdout, url, now: now() }))
  const options = { stdout, stdin, stderr: stdout, exitOnCtrlC: false, patchConsole: false }
  const instance = ink.render(draw(), { ...options, maxFps: refreshInterval / minRedrawInterval })
  const show = () => instance.rerender(draw())
  const soon = throttle(minRedrawInterval, show)
  const ticking = setInterval(show, refreshInterval)
  stdout.on('resize', show)
  const end = () => void io.signals.emit('SIGINT')
  const releaseKeys = listenForKeys(io, { q: end, Q: end })
  return {
    addEvent: event => {
      state = applyEvent(state, event, now())
      if ('text' in event)
        frame.print(`${formatClock(now())} ${event.from}: ${toOneLine(event.text)}\n`)
      soon.call()
    },
    setQueue: queue => {
      state = replaceQueue(state, queue)
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

function createLines(
  state: LiveState,
  { stdout, url, now }: { stdout: NodeJS.WriteStream; url: string; now: number },
): LiveLine[] {
  const { columns, rows } = stdout
  return renderLiveLines(state, { columns, rows, url, now, clock: formatClock })
}

/** Local time, as the clock on the wall has it. */
function formatClock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/**
 * Makes the picture of lines, and prints above the one that is shown. Ink remembers every text that it has measured, for
 * ever; so it measures a blank in each row, and the line takes its place when that is drawn.
 */
function createFrame({ Box, Text, Transform, createElement, useStdout }: Ink, colored: boolean) {
  let print: (text: string) => void = () => {}
  const blank = createElement(Text, null, ' ')
  const row = (line: LiveLine, key: number) => {
    const text = line.map(piece => applyStyle(piece, colored)).join('')
    return createElement(Transform, { key, transform: () => text }, blank)
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

function applyStyle({ text, tone }: TextPiece, colored: boolean): string {
  if (tone === undefined || !(colored || tone === 'strong')) return text
  const [on, off] = styles[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Calls at once what has not been called for a while, and at its end what was asked for meanwhile. */
function throttle(milliseconds: number, work: () => void) {
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
