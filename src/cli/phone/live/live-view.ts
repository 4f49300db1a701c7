// The live view of `smsrelay phone` on a terminal.
//
// 1. live-view-options.ts decides whether there is a live view, or printed lines.
// 2. phone-live-view.ts opens it, and polls the relay for its queue.
// 3. live-view.ts gets each event of the phone and draws with ink, at most four times a second.
// 4. live-reducer.ts computes the new state (live-state.ts) of an event.
// 5. live-lines.ts renders the state as lines that fit the screen.
import { RelayError } from '../../../errors.js'
import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'
import { type Io, shouldUseColor } from '../../terminal/io.js'
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

export interface LiveViewOptions {
  readonly io: Pick<Io, 'stdin' | 'stdout' | 'signals' | 'env' | 'clock'>
  readonly url: string
  readonly rates: readonly PartsRate[]
}

/** The live view on the terminal, which it restores when it is disposed of. */
export interface LiveView extends Disposable {
  addEvent(event: AnyEvent): void
  setQueue(queue: LiveQueue | undefined): void
}

type Ink = Pick<typeof import('ink'), 'render' | 'Box' | 'Text' | 'Transform' | 'useStdout'> &
  Pick<typeof import('react'), 'createElement'>

/** Milliseconds. */
const refreshInterval = 1000
/** Milliseconds. */
const minRedrawInterval = 250

/** ECMA-48 codes that switch a terminal style on and off (section 8.3.117). */
const styles: Readonly<Record<Tone, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  careful: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
}

/**
 * Draws the terminal's live view on stdout; the key q acts like Ctrl-C. Received texts are also
 * printed above the view, where they stay, because they are stored nowhere else. Throws
 * `configuration`.
 */
export async function openLiveView({ io, url, rates }: LiveViewOptions): Promise<LiveView> {
  const ink = await loadInk()
  const { now } = io.clock
  const stdout = io.stdout as NodeJS.WriteStream
  const stdin = io.stdin as NodeJS.ReadStream
  let state = createLiveState(rates, now())
  const frame = createFrame(ink, shouldUseColor(stdout, io.env))
  const draw = () => frame.view(createLines(state, stdout, url, now()))
  const options = { stdout, stdin, stderr: stdout, exitOnCtrlC: false, patchConsole: false }
  const instance = ink.render(draw(), { ...options, maxFps: 1000 / minRedrawInterval })
  const redraw = () => instance.rerender(draw())
  const throttled = throttle(minRedrawInterval, redraw)
  const refresh = setInterval(redraw, refreshInterval)
  stdout.on('resize', redraw)
  const stop = () => void io.signals.emit('SIGINT')
  const releaseKeys = listenForKeys(io, { q: stop, Q: stop })
  return {
    addEvent: event => {
      state = applyEvent(state, event, now())
      if ('text' in event) {
        frame.print(`${formatTime(now())} ${event.from}: ${toOneLine(event.text)}\n`)
      }
      throttled.call()
    },
    setQueue: queue => {
      state = replaceQueue(state, queue)
      throttled.call()
    },
    [Symbol.dispose]() {
      clearInterval(refresh)
      throttled.cancel()
      stdout.off('resize', redraw)
      releaseKeys()
      redraw()
      instance.unmount()
    },
  }
}

/**
 * Loads ink and react for the terminal's live view, in production mode. In development, react is
 * slow, and it stores every update in a list that only grows. Throws `configuration` if they are
 * not installed.
 */
async function loadInk(): Promise<Ink> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    const { createElement } = await import('react')
    const { render, Box, Text, Transform, useStdout } = await import('ink')
    return { render, Box, Text, Transform, useStdout, createElement }
  } catch (cause) {
    throw new RelayError('configuration', 'The live view needs ink, which is not installed.', {
      cause,
    })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

function createLines(
  state: LiveState,
  { columns, rows }: NodeJS.WriteStream,
  url: string,
  now: number,
): LiveLine[] {
  return renderLiveLines(state, { columns, rows, url, now, formatTime })
}

function formatTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/**
 * The frame of the terminal's live view: draws lines, and prints above them. Ink never
 * forgets a text that it has measured, so it measures a blank in each row, which is replaced by the
 * line when it is drawn.
 */
function createFrame({ Box, Text, Transform, createElement, useStdout }: Ink, colored: boolean) {
  let print: (text: string) => void = () => {}
  const blank = createElement(Text, null, ' ')
  const createRow = (line: LiveLine, key: number) => {
    const text = line.map(piece => applyStyle(piece, colored)).join('')
    return createElement(Transform, { key, transform: () => text }, blank)
  }
  const Frame = ({ lines }: { readonly lines: readonly LiveLine[] }) => {
    print = useStdout().write
    return createElement(Box, { flexDirection: 'column' }, lines.map(createRow))
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

/**
 * Limits redraws of the terminal's live view: the first call runs at once; calls during the
 * following interval run once, at its end.
 */
function throttle(milliseconds: number, run: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isRequested = false
  const start = () => {
    isRequested = false
    timer = setTimeout(() => {
      timer = undefined
      if (isRequested) start()
    }, milliseconds)
    run()
  }
  return {
    call: () => {
      if (timer === undefined) start()
      else isRequested = true
    },
    cancel: () => clearTimeout(timer),
  }
}
