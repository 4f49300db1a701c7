import { describe, expect, test } from 'vitest'
import { ListenPrinter } from '../../../../src/cli/hook/listen/listen-printer.js'
import { ListenView } from '../../../../src/cli/hook/listen/listen-view.js'
import type { ListenerEvent } from '../../../../src/cli/hook/listen/listener.js'
import { testIo } from '../../streams.js'

const time = '2030-01-02T03:04:05.678Z'
const esc = '\u001b'

const attempt = {
  ...{ type: 'attempt', sequence: 12, event: 'message.sent', message: { id: 'm1' }, attempt: 1 },
  ...{ method: 'PING', url: 'http://x/', status: 500, ms: 7, ok: false, error: null },
  ...{ retry_in: 1500 },
} as const satisfies ListenerEvent

const detail = {
  headers: { Host: `x${esc}[31m` },
  body: 'a\nb',
  reply: `no${esc}]0;t\u0007\nway`,
}

async function printerFor(io: Parameters<typeof ListenView.create>[0], more = {}) {
  const options = { isVerbose: false, isForwarding: true, showsReply: false, ...more }
  return new ListenPrinter(await ListenView.create(io), options)
}

describe('a listener at a terminal', () => {
  test('shows a hit as one line, coloured by what it came to', async () => {
    const printer = await printerFor(testIo({ tty: true }))
    const line = printer.format(attempt, time, detail) ?? ''
    expect(line).toContain(`${esc}[31m500`)
    expect(line.split('\n')).toHaveLength(1)
    expect(printer.format({ ...attempt, status: 200, ok: true }, time, detail)).toContain(
      `${esc}[32m200`,
    )
  })

  test.each([
    ['NO_COLOR', testIo({ tty: true, env: { NO_COLOR: '1' } })],
    ['a pipe', testIo()],
  ])('uses no colours with %s, and aligns', async (_, io) => {
    const printer = await printerFor(io)
    expect(printer.format(attempt, time, detail)).toBe(
      '03:04:05Z  message.sent      PING   → 500     7 ms  m1  #12  again in 1.5 s',
    )
    const refused = { ...attempt, status: null, error: 'No answer.', retry_in: null }
    expect(printer.format({ ...refused, event: 'message.blocked' }, time, detail)).toBe(
      '03:04:05Z  message.blocked   PING   → ---     7 ms  m1  #12  No answer.  refused',
    )
  })

  test('shows all of a hit when asked, and nothing that could steer the terminal', async () => {
    const printer = await printerFor(testIo(), { isVerbose: true })
    const indent = ' '.repeat(11)
    const lines = ['Host: x', '', 'a', 'b', '< no', '< way']
    const shown = lines.map(line => (line === '' ? '' : indent + line))
    expect(printer.format(attempt, time, detail)?.split('\n').slice(1)).toEqual(shown)
    expect(printer.toggleVerbose()).toBeUndefined()
    expect(printer.format(attempt, time, detail)).not.toContain('\n')
    expect(printer.toggleVerbose()).toBe(shown.join('\n'))
  })

  test('shows answers alone where those were asked for', async () => {
    const printer = await printerFor(testIo(), { showsReply: true })
    expect(printer.format(attempt, time, detail)?.split('\n').slice(1)).toEqual([
      `${' '.repeat(11)}< no`,
      `${' '.repeat(11)}< way`,
    ])
  })

  test('tells of lost lines and of events that are gone', async () => {
    const printer = await printerFor(testIo())
    const error = { code: 'unreachable', message: 'No\nline.' }
    const lost = { type: 'reconnecting', error, attempt: 1, wait: 900 } as const
    expect(printer.format(lost, time, undefined)).toBe('03:04:05Z  Reconnecting in 0.9 s: No line.')
    expect(printer.format({ type: 'missing', after: 3 }, time, undefined)).toContain('#3')
  })
})
