import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderLiveLines } from '../../../../src/cli/phone/live/live-lines.js'
import { applyEvent } from '../../../../src/cli/phone/live/live-reducer.js'
import {
  addParts,
  countParts,
  createLiveState,
  createWindow,
  type LiveState,
  maskNumber,
  maxEntries,
  replaceQueue,
} from '../../../../src/cli/phone/live/live-state.js'
import { countColumns } from '../../../../src/cli/terminal/terminal-text.js'
import type { PhoneEvent } from '../../../../src/phone/events/phone-events.js'
import { parseRate } from '../../../../src/phone/rate-limit/parts-rate.js'

const begin = 1_700_000_000_000
const id = fc.constantFrom('a', 'b', 'c')
const error = fc.string({ unit: 'binary', maxLength: 300 })
const events: fc.Arbitrary<PhoneEvent> = fc.oneof(
  fc.record({ event: fc.constant('ready' as const), driver: fc.string() }),
  fc.record({ event: fc.constant('took' as const), id: fc.uuid(), destination: fc.string() }),
  fc.record({
    ...{ event: fc.constant('sent' as const), id, test: fc.boolean() },
    parts: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({
    ...{ event: fc.constant('failed' as const), id, error, test: fc.boolean() },
    status: fc.constantFrom('E' as const, 'F' as const),
  }),
  fc.record({ event: fc.constant('offline' as const), error }),
  fc.record({ event: fc.constant('trouble' as const), id, error }),
  fc.record({ event: fc.constant('received' as const), from: fc.string(), text: error }),
  fc.record({ event: fc.constant('quiet' as const), until: fc.constant('2023-11-15T07:00:00Z') }),
  fc.record({ event: fc.constant('paced' as const), wait: fc.nat(), limit: fc.string() }),
  fc.constantFrom({ event: 'idle' } as const, { event: 'online' } as const),
  fc.constantFrom({ event: 'recovered' } as const, { event: 'stopping' } as const),
)
const histories = fc.array(events, { maxLength: 400, size: 'max' })

function createState(all: readonly PhoneEvent[], step = 1000): LiveState {
  const start = createLiveState([parseRate('30/min'), parseRate('1000/d')], begin)
  return all.reduce((state, event, at) => applyEvent(state, event, begin + at * step), start)
}

function renderText(
  state: LiveState,
  given: { columns?: number; rows?: number; now?: number } = {},
) {
  const screen = { url: 'http://relay', columns: 100, rows: 40, now: begin, formatTime: String }
  return renderLiveLines(state, { ...screen, ...given }).map(line =>
    line.map(each => each.text).join(''),
  )
}

describe('the state of the live view', () => {
  it('has a limited size after any events', () => {
    fc.assert(
      fc.property(histories, history => {
        const { messages, errors, received, rates } = createState(history)
        expect(messages.length).toBeLessThanOrEqual(maxEntries.messages)
        expect(errors.length).toBeLessThanOrEqual(maxEntries.notes)
        expect(received.length).toBeLessThanOrEqual(maxEntries.notes)
        for (const { window } of rates) expect(window.counts.length).toBeLessThanOrEqual(60)
      }),
      { numRuns: 30 },
    )
  })

  it('fits every screen after any events', () => {
    const size = fc.integer({ min: 1, max: 120 })
    fc.assert(
      fc.property(histories, size, size, (history, columns, rows) => {
        const lines = renderText(createState(history), { columns, rows })
        expect(lines.length).toBeLessThanOrEqual(Math.max(rows - 1, 1))
        for (const line of lines) {
          expect(countColumns(line)).toBeLessThanOrEqual(Math.max(columns - 1, 1))
          expect(line).not.toMatch(/[\p{Cc}]/u)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('counts sent and failed messages, and parts without test numbers', () => {
    fc.assert(
      fc.property(histories, history => {
        const of = (name: string) => history.filter(({ event }) => event === name)
        const parts = history.map(each => (each.event === 'sent' && !each.test ? each.parts : 0))
        const state = createState(history)
        expect(state.sent).toBe(of('sent').length)
        expect(state.failed).toBe(of('failed').length)
        expect(state.parts).toBe(parts.reduce((all, each) => all + each, 0))
      }),
      { numRuns: 60 },
    )
  })

  it('shows the outcomes of a message, with a masked number', () => {
    const took = { event: 'took', id: 'a', destination: '+4915112345678' } as const
    expect(renderText(createState([took])).join('\n')).toContain('+4915112•••678')
    const trouble = { event: 'trouble', id: 'a', error: 'No SIM.' } as const
    const waiting = renderText(createState([took, trouble])).join('\n')
    expect(waiting).toMatch(/678 +waits/)
    expect(waiting).toMatch(/Driver .* since \d+: No SIM\./)
    expect(waiting).toContain('smsrelay phone doctor')
    const sent = { event: 'sent', id: 'a', parts: 2, test: false } as const
    const done = renderText(createState([took, trouble, { event: 'recovered' }, sent])).join('\n')
    expect(done).toMatch(/678 +sent +2 parts/)
    expect(done).not.toContain('12345678')
    expect(done).toContain('2 of 30/min')
  })

  it('shows the newest error in full, because it ends with the next step', () => {
    const error = `${'The device cannot be opened. '.repeat(8)}Look at its plug.`
    const trouble = { event: 'trouble', id: 'a', error } as const
    const shown = renderText(createState([trouble]), { columns: 70 })
    expect(shown.join(' ').replace(/\s+/g, ' ')).toContain('Look at its plug.')
    expect(shown.join('\n')).toMatch(/State +.*driver/)
  })

  it('shows the name of an unknown event as the outcome', () => {
    const took = { event: 'took', id: 'a', destination: '+4915112345678' } as const
    const state = applyEvent(createState([took]), { event: 'released', id: 'a' }, begin)
    expect(renderText(state).join('\n')).toMatch(/678 +released/)
    expect(applyEvent(state, { event: 'toString' }, begin)).toBe(state)
  })

  it('shows a rate limit and quiet hours until they end', () => {
    const paced = applyEvent(
      createState([]),
      { event: 'paced', wait: 12_000, limit: '30/min' },
      begin,
    )
    expect(renderText(paced).join('\n')).toMatch(/State .*12 s.*30\/min/)
    expect(renderText(paced, { now: begin + 12_000 }).join('\n')).not.toMatch(/State .*30\/min/)
    const until = new Date(begin + 3 * 3_600_000).toISOString()
    const quiet = applyEvent(createState([]), { event: 'quiet', until }, begin)
    expect(renderText(quiet).join('\n')).toContain('(3 h)')
  })

  it('shows the queue of the relay if it is known', () => {
    const oldest = new Date(begin - 180_000).toISOString().slice(0, 19).replace('T', ' ')
    const queue = { waiting: 14, due: 3, leased: 1, oldest_due_on: oldest }
    const shown = renderText(replaceQueue(createState([]), queue)).join('\n')
    expect(shown).toMatch(/Waiting +14, 3 due, 1 .*3 min/)
    expect(
      renderText(replaceQueue(replaceQueue(createState([]), queue), undefined)).join('\n'),
    ).not.toContain('Waiting')
  })

  it('shows the newest messages first, and fewer on a low screen', () => {
    const all = Array.from({ length: 50 }, (_, at) => ({
      ...{ event: 'took' as const, id: `m${at}`, destination: `+49151000000${at + 10}` },
    }))
    const lines = renderText(createState(all), { rows: 16 })
    expect(lines.findIndex(line => line.includes('•••059'))).toBe(7)
    expect(lines.at(-1)).toContain('q or Ctrl-C')
    expect(lines).toHaveLength(15)
  })
})

describe('PartsWindow', () => {
  it('counts the parts of its period, with an error of one slot', () => {
    const sends = fc.array(fc.tuple(fc.nat(200_000), fc.integer({ min: 1, max: 9 })))
    fc.assert(
      fc.property(sends, fc.nat(60_000), (given, later) => {
        const inOrder = given.sort(([a], [b]) => a - b)
        const window = inOrder.reduce((all, [at, n]) => addParts(all, n, at), createWindow(60_000))
        const now = (inOrder.at(-1)?.[0] ?? 0) + later
        const within = (ms: number) =>
          inOrder.filter(([at]) => at > now - ms).reduce((all, [, n]) => all + n, 0)
        expect(countParts(window, now)).toBeGreaterThanOrEqual(within(59_000))
        expect(countParts(window, now)).toBeLessThanOrEqual(within(60_000))
      }),
    )
  })
})

describe('maskNumber', () => {
  it.each([
    ['+4915112345678', '+4915112•••678'],
    ['70123', '70123'],
    ['5551212', '5•••212'],
  ])('%s becomes %s', (number, shown) => {
    expect(maskNumber(number)).toBe(shown)
  })
})
