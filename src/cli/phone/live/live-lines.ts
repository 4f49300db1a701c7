import { pluralize } from '../../../util/text/plural.js'
import { formatDuration } from '../../terminal/durations.js'
import { countColumns, toOneLine, truncate } from '../../terminal/terminal-text.js'
import {
  type ConnectionStatus,
  countParts,
  type LiveMessage,
  type LiveState,
} from './live-state.js'

export type Tone = 'good' | 'bad' | 'careful' | 'faint' | 'strong'

export interface TextPiece {
  readonly text: string
  readonly tone?: Tone
}

export type LiveLine = readonly TextPiece[]

export interface Screen {
  readonly url: string
  readonly columns: number
  readonly rows: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Formats milliseconds since the epoch as a time such as 12:03:11. */
  readonly formatTime: (at: number) => string
}

const maxNotes = 3
const maxNoteLines = 5
const labelWidth = 9

/** Renders the live view: fewer messages on a small terminal, truncated lines on a narrow one. */
export function renderLiveLines(state: LiveState, screen: Screen): LiveLine[] {
  const head = renderHead(state, screen)
  const foot = [createFaintLine(formatFooter(state))]
  const free = Math.max(screen.rows - 1 - head.length - foot.length, 0)
  const notes = [
    ...renderNotes('Errors', state.errors, screen, 'bad'),
    ...renderNotes('Received', state.received, screen),
  ].slice(0, Math.max(free - 2, 0))
  const messages = renderMessages(state.messages, screen, free - notes.length)
  const lines = [...head, ...messages, ...notes, ...foot]
  return lines.slice(0, Math.max(screen.rows - 1, 1)).map(line => fitToWidth(line, screen.columns))
}

function renderHead(state: LiveState, screen: Screen): LiveLine[] {
  const { driver = 'starting', relayStatus, driverStatus, sent, parts, failed, unknown } = state
  const counts = `${sent} (${pluralize(parts, 'part')}), ${failed} failed, ${unknown} unknown`
  const relayNames = ['online', 'offline', 'not reached yet'] as const
  const driverNames = ['ready', 'not working', 'not used yet'] as const
  return [
    [{ text: `smsrelay phone · ${driver}`, tone: 'strong' }, { text: ` → ${screen.url}` }],
    createRow('Relay', renderStatus(relayStatus, relayNames, screen)),
    createRow('Driver', renderStatus(driverStatus, driverNames, screen)),
    createRow('State', [renderState(state, screen)]),
    createRow('Rate', [{ text: formatRate(state, screen.now) }]),
    createRow('Sent', [{ text: counts, ...(failed + unknown > 0 ? { tone: 'careful' } : {}) }]),
    ...renderQueue(state, screen.now),
    ...renderAdvice(state),
  ]
}

function renderStatus(
  { state, since, error }: ConnectionStatus,
  [up, down, unknown]: readonly [string, string, string],
  { formatTime }: Screen,
): LiveLine {
  if (state === 'unknown') return [{ text: unknown, tone: 'faint' }]
  const time = ` since ${formatTime(since)}`
  if (state === 'up') return [{ text: up, tone: 'good' }, { text: time }]
  return [{ text: down, tone: 'bad' }, { text: `${time}: ${error ?? ''}` }]
}

function renderState(state: LiveState, { now, formatTime }: Screen): TextPiece {
  const { quietUntil, rateLimit, isIdle, relayStatus, driverStatus } = state
  if (quietUntil !== undefined && quietUntil > now) {
    const time = `${formatTime(quietUntil)} (${formatWait(quietUntil - now)})`
    return { text: `quiet hours until ${time}`, tone: 'careful' }
  }
  if (rateLimit !== undefined && rateLimit.until > now) {
    const text = `next text in ${formatWait(rateLimit.until - now)}: ${rateLimit.limit}`
    return { text, tone: 'careful' }
  }
  const down = [
    ...(relayStatus.state === 'down' ? ['the relay'] : []),
    ...(driverStatus.state === 'down' ? ['the driver'] : []),
  ]
  if (down.length > 0) return { text: `waiting for ${down.join(' and ')}`, tone: 'bad' }
  return { text: isIdle ? 'no message is due' : 'working' }
}

function formatRate({ texts, minute, rates }: LiveState, now: number): string {
  const parts = pluralize(countParts(minute, now), 'part')
  const last = `${parts} in ${pluralize(countParts(texts, now), 'text')} in the last minute`
  const limits = rates.map(({ rate, window }) => `${countParts(window, now)} of ${rate.name}`)
  return [last, ...limits].join(' · ')
}

function renderQueue({ queue }: LiveState, now: number): LiveLine[] {
  if (queue === undefined) return []
  const { waiting, due, leased, oldest_due_on: oldest } = queue
  const age = oldest ? now - Date.parse(`${oldest.replace(' ', 'T')}Z`) : 0
  const since = due > 0 && age > 0 ? `, the oldest for ${formatDuration(age)}` : ''
  return [createRow('Waiting', [{ text: `${waiting}, ${due} due, ${leased} leased${since}` }])]
}

function renderAdvice({ relayStatus, driverStatus }: LiveState): LiveLine[] {
  if (driverStatus.state === 'down') {
    const text = 'The text waits and its failure count stays. Check: smsrelay phone doctor'
    return [createRow('', createFaintLine(text))]
  }
  if (relayStatus.state !== 'down') return []
  return [createRow('', createFaintLine('Retrying; results are reported when it is online.'))]
}

function renderMessages(all: readonly LiveMessage[], screen: Screen, rows: number): LiveLine[] {
  if (rows < 2) return []
  if (all.length === 0) return [[{ text: '' }], createFaintLine('No message yet.')].slice(0, rows)
  const newest = all.slice(1 - rows).reverse()
  return [[{ text: '' }], ...newest.map(each => renderMessage(each, screen))]
}

function renderMessage(
  { to = '', outcome, parts, error, at }: LiveMessage,
  { formatTime }: Screen,
): LiveLine {
  const detail = error ?? (parts === undefined ? '' : pluralize(parts, 'part'))
  return [
    { text: `${formatTime(at)}  ${to.padEnd(18)}  ` },
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
  { formatTime, columns }: Screen,
  tone?: Tone,
): LiveLine[] {
  const indent = formatTime(0).length + 2
  const newest = notes.slice(-maxNotes)
  const lines = newest.flatMap(({ at, text }, index) => {
    // The terminal's live view shows the newest note in full, because an error ends with the next
    // step.
    const maxLines = index === newest.length - 1 ? maxNoteLines : 1
    return wrapWords(toOneLine(text), columns - indent - 1, maxLines).map((part, line) => [
      {
        text: line === 0 ? `${formatTime(at)}  ` : ' '.repeat(indent),
        ...(tone === undefined ? {} : { tone }),
      },
      { text: part },
    ])
  })
  return lines.length === 0 ? [] : [[{ text: '' }], [{ text: title, tone: 'strong' }], ...lines]
}

function wrapWords(text: string, columns: number, maxLines: number): string[] {
  const lines: string[] = []
  let rest = text.split(' ')
  while (rest.length > 0 && lines.length < maxLines - 1) {
    let words = 1
    while (words < rest.length && countColumns(rest.slice(0, words + 1).join(' ')) <= columns) {
      words += 1
    }
    lines.push(rest.slice(0, words).join(' '))
    rest = rest.slice(words)
  }
  return rest.length === 0 ? lines : [...lines, rest.join(' ')]
}

function formatFooter({ isStopping }: LiveState): string {
  if (isStopping) return 'Stopping after the message in progress; Ctrl-C abandons it.'
  return 'q or Ctrl-C: stop after the message in progress.'
}

function createRow(label: string, value: LiveLine): LiveLine {
  return [{ text: label.padEnd(labelWidth), tone: 'faint' }, ...value]
}

function createFaintLine(text: string): LiveLine {
  return [{ text, tone: 'faint' }]
}

/**
 * Truncates a line of the terminal's live view. The last column stays free, because some terminals
 * wrap there.
 */
function fitToWidth(line: LiveLine, columns: number): LiveLine {
  let free = Math.max(columns - 1, 1)
  return line.flatMap(({ text, ...rest }) => {
    if (free <= 0) return []
    const shown = truncate(text.replace(/[\p{Cc}]/gu, ' '), free)
    free -= countColumns(shown)
    return [{ text: shown, ...rest }]
  })
}

/** Rounds a wait in the terminal's live view up, so that it never shows as 0 s. */
function formatWait(milliseconds: number): string {
  return formatDuration(Math.ceil(milliseconds / 1000) * 1000)
}
