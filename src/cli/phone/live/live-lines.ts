import { pluralize } from '../../../util/text/plural.js'
import { countColumns, toOneLine, truncate } from '../../terminal/terminal-text.js'
import type { ConnectionStatus, LiveMessage, LiveState } from './live-state.js'
import { countParts } from './parts-window.js'

/** How a piece of text stands out. */
export type Tone = 'good' | 'bad' | 'careful' | 'faint' | 'strong'

/** A piece of a line. */
export interface TextPiece {
  readonly text: string
  readonly tone?: Tone
}

/** One line of the screen. */
export type LiveLine = readonly TextPiece[]

/** What the lines are made for. */
export interface Screen {
  readonly url: string
  readonly columns: number
  readonly rows: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Such as 12:03:11, of milliseconds since the epoch. */
  readonly clock: (at: number) => string
}

const maxNotes = 3
const maxNoteLines = 5
const labelWidth = 9

/** The view as lines that fit the screen: fewer messages where it is low, cut where it is narrow. */
export function renderLiveLines(state: LiveState, screen: Screen): LiveLine[] {
  const head = renderHead(state, screen)
  const foot = [createFaintLine(formatFooter(state))]
  const room = Math.max(screen.rows - 1 - head.length - foot.length, 0)
  const notes = [
    ...renderNotes('Errors', state.errors, screen, 'bad'),
    ...renderNotes('Came in', state.incoming, screen),
  ].slice(0, Math.max(room - 2, 0))
  const messages = renderMessages(state.messages, screen, room - notes.length)
  const lines = [...head, ...messages, ...notes, ...foot]
  return lines.slice(0, Math.max(screen.rows - 1, 1)).map(line => fitToWidth(line, screen.columns))
}

function renderHead(state: LiveState, screen: Screen): LiveLine[] {
  const { driver = 'starting', sent, parts, failed, unknown } = state
  const tally = `${sent} (${pluralize(parts, 'part')}), ${failed} failed, ${unknown} unknown`
  return [
    [{ text: `smsrelay phone · ${driver}`, tone: 'strong' }, { text: ` → ${screen.url}` }],
    createRow('Relay', renderStatus(state.relay, ['online', 'offline', 'not reached yet'], screen)),
    createRow('Driver', renderStatus(state.gateway, ['ready', 'trouble', 'not used yet'], screen)),
    ...renderState(state, screen),
    createRow('Rate', [{ text: formatRate(state, screen.now) }]),
    createRow('Sent', [{ text: tally, ...(failed + unknown > 0 ? { tone: 'careful' } : {}) }]),
    ...renderQueue(state, screen.now),
    ...renderAdvice(state),
  ]
}

function renderStatus(
  { state, since, error }: ConnectionStatus,
  [well, away, unknown]: readonly [string, string, string],
  { clock }: Screen,
): LiveLine {
  if (state === 'unknown') return [{ text: unknown, tone: 'faint' }]
  const time = ` since ${clock(since)}`
  if (state === 'well') return [{ text: well, tone: 'good' }, { text: time }]
  return [{ text: away, tone: 'bad' }, { text: `${time}: ${error ?? ''}` }]
}

function renderState(state: LiveState, { now, clock }: Screen): LiveLine[] {
  const { quietUntil, paced, idle, relay, gateway } = state
  if (quietUntil !== undefined && quietUntil > now) {
    const text = `quiet hours until ${clock(quietUntil)} (${formatSpan(quietUntil - now)})`
    return [createRow('State', [{ text, tone: 'careful' }])]
  }
  if (paced !== undefined && paced.until > now) {
    const text = `next text in ${formatSpan(paced.until - now)}: ${paced.limit}`
    return [createRow('State', [{ text, tone: 'careful' }])]
  }
  const waitsFor = [
    ...(relay.state === 'away' ? ['relay'] : []),
    ...(gateway.state === 'away' ? ['driver'] : []),
  ]
  if (waitsFor.length > 0) {
    return [
      createRow('State', [{ text: `waiting for the ${waitsFor.join(' and the ')}`, tone: 'bad' }]),
    ]
  }
  return [createRow('State', [{ text: idle ? 'nothing is due' : 'working' }])]
}

function formatRate({ texts, minute, rates }: LiveState, now: number): string {
  const last = `${pluralize(countParts(minute, now), 'part')} in ${pluralize(countParts(texts, now), 'text')} in the last minute`
  const limits = rates.map(({ rate, window }) => `${countParts(window, now)} of ${rate.name}`)
  return [last, ...limits].join(' · ')
}

function renderQueue({ queue }: LiveState, now: number): LiveLine[] {
  if (queue === undefined) return []
  const { waiting, due, leased, oldest_due_on: oldest } = queue
  const age = oldest ? now - Date.parse(`${oldest.replace(' ', 'T')}Z`) : 0
  const since = due > 0 && age > 0 ? `, the oldest for ${formatSpan(age)}` : ''
  return [createRow('Waiting', [{ text: `${waiting}, ${due} due, ${leased} with phones${since}` }])]
}

/** What a person may do about what is wrong. */
function renderAdvice({ relay, gateway }: LiveState): LiveLine[] {
  if (gateway.state === 'away') {
    return [
      createRow('', [
        createFaintPiece('The text waits and loses no attempt. More: smsrelay phone doctor'),
      ]),
    ]
  }
  if (relay.state !== 'away') return []
  return [
    createRow('', [
      createFaintPiece('It is asked again and again; what was sent is reported then.'),
    ]),
  ]
}

function renderMessages(all: readonly LiveMessage[], screen: Screen, room: number): LiveLine[] {
  if (room < 2) return []
  if (all.length === 0) return [[{ text: '' }], createFaintLine('No message yet.')].slice(0, room)
  return [
    [{ text: '' }],
    ...all
      .slice(1 - room)
      .reverse()
      .map(each => renderMessage(each, screen)),
  ]
}

function renderMessage(
  { to = '', outcome, parts, error, at }: LiveMessage,
  { clock }: Screen,
): LiveLine {
  const detail = error ?? (parts === undefined ? '' : pluralize(parts, 'part'))
  return [
    { text: `${clock(at)}  ${to.padEnd(18)}  ` },
    { text: outcome, ...getTone(outcome) },
    { text: detail === '' ? '' : `  ${toOneLine(detail)}`, tone: 'faint' },
  ]
}

function getTone(outcome: string): { tone?: Tone } {
  if (outcome.startsWith('sent')) return { tone: 'good' }
  if (outcome.startsWith('failed')) return { tone: 'bad' }
  return outcome === 'sending' ? {} : { tone: 'careful' }
}

function renderNotes(
  title: string,
  notes: LiveState['errors'],
  { clock, columns }: Screen,
  tone?: Tone,
): LiveLine[] {
  const indent = clock(0).length + 2
  const newest = notes.slice(-maxNotes)
  const lines = newest.flatMap(({ at, text }, place) => {
    // What to do stands at the end of an error, so the newest is shown in full.
    const most = place === newest.length - 1 ? maxNoteLines : 1
    return wrapWords(toOneLine(text), columns - indent - 1, most).map((part, line) => [
      {
        text: line === 0 ? `${clock(at)}  ` : ' '.repeat(indent),
        ...(tone === undefined ? {} : { tone }),
      },
      { text: part },
    ])
  })
  return lines.length === 0 ? [] : [[{ text: '' }], [{ text: title, tone: 'strong' }], ...lines]
}

/** The text on so many lines at most, broken between words; what is left is cut. */
function wrapWords(text: string, columns: number, most: number): string[] {
  const lines: string[] = []
  let rest = text.split(' ')
  while (rest.length > 0 && lines.length < most - 1) {
    let words = 1
    while (words < rest.length && countColumns(rest.slice(0, words + 1).join(' ')) <= columns)
      words += 1
    lines.push(rest.slice(0, words).join(' '))
    rest = rest.slice(words)
  }
  return rest.length === 0 ? lines : [...lines, rest.join(' ')]
}

function formatFooter({ stopping }: LiveState): string {
  if (stopping) return 'Stopping after the message in hand; Ctrl-C gives it up.'
  return 'q or Ctrl-C: stop after the message in hand.'
}

function createRow(label: string, value: LiveLine): LiveLine {
  return [{ text: label.padEnd(labelWidth), tone: 'faint' }, ...value]
}

function createFaintLine(text: string): LiveLine {
  return [createFaintPiece(text)]
}

function createFaintPiece(text: string): TextPiece {
  return { text, tone: 'faint' }
}

/** Whatever is in it, a line takes one line: the last column is left free, for some terminals wrap there. */
function fitToWidth(line: LiveLine, columns: number): LiveLine {
  let room = Math.max(columns - 1, 1)
  return line.flatMap(({ text, ...rest }) => {
    if (room <= 0) return []
    const shown = truncate(text.replace(/[\p{Cc}]/gu, ' '), room)
    room -= countColumns(shown)
    return [{ text: shown, ...rest }]
  })
}

/** A time as people say it. */
function formatSpan(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
