import { describe, expect, test } from 'vitest'
import type { ListenerEvent } from '../../../../src/cli/hook/listen/listen-events.js'
import { ListenView } from '../../../../src/cli/hook/listen/listen-view.js'
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

async function openView(io: Parameters<typeof ListenView.create>[0], more = {}) {
  const options = { isVerbose: false, isForwarding: true, showsReply: false, ...more }
  return await ListenView.create(io, options)
}

const ready = {
  ...{ type: 'ready', mode: 'port', url: 'http://127.0.0.1:9', events: ['message.sent'] },
} as const satisfies ListenerEvent

describe('ListenView', () => {
  test('the start shows the secret, and whether an earlier run is continued', async () => {
    const view = await openView(testIo())
    const first = ['Ready at http://127.0.0.1:9', 'Events: message.sent']
    expect(view.format(ready, time, undefined)).toBe(first.join('\n'))
    const full = { ...ready, secret: `whsec_a${esc}[31m`, taken_over: ['message.sent'] }
    expect(view.format(full, time, undefined)?.split('\n')).toEqual([
      ...first,
      'Signing secret: whsec_a',
      'Continuing the subscriptions of an earlier run.',
    ])
  })

  test('subscriptions that were created again are a warning', async () => {
    const expired = { type: 'expired', events: ['message.sent', 'message.failed'] } as const
    expect((await openView(testIo())).format(expired, time, undefined)).toBe(
      '03:04:05Z  No contact for an hour: subscribed again to message.sent, message.failed.',
    )
  })

  test('on a terminal, an attempt is one line in the color of its status', async () => {
    const view = await openView(testIo({ tty: true }))
    const line = view.format(attempt, time, detail) ?? ''
    expect(line).toContain(`${esc}[31m500`)
    expect(line.split('\n')).toHaveLength(1)
    const ok = view.format({ ...attempt, status: 200, ok: true }, time, detail)
    expect(ok).toContain(`${esc}[32m200`)
  })

  test.each([
    ['NO_COLOR', testIo({ tty: true, env: { NO_COLOR: '1' } })],
    ['a pipe', testIo()],
  ])('with %s, lines are aligned and have no colors', async (_, io) => {
    const view = await openView(io)
    expect(view.format(attempt, time, detail)).toMatch(
      /^03:04:05Z {2}message\.sent {6}PING {3}→ 500 {5}7 ms {2}m1 {2}#12 {2}.*1\.5 s$/,
    )
    const failed = { ...attempt, status: null, error: 'Refused.', retry_in: null }
    expect(view.format({ ...failed, event: 'message.blocked' }, time, detail)).toMatch(
      /^03:04:05Z {2}message\.blocked {3}PING {3}→ --- {5}7 ms {2}m1 {2}#12 {2}Refused\. /,
    )
  })

  test('with --verbose, a webhook is shown in full without control characters', async () => {
    const view = await openView(testIo(), { isVerbose: true })
    const indent = ' '.repeat(11)
    const lines = ['Host: x', '', 'a', 'b', '< no', '< way']
    const shown = lines.map(line => (line === '' ? '' : indent + line))
    expect(view.format(attempt, time, detail)?.split('\n').slice(1)).toEqual(shown)
    expect(view.toggleVerbose()).toBeUndefined()
    expect(view.format(attempt, time, detail)).not.toContain('\n')
    expect(view.toggleVerbose()).toBe(shown.join('\n'))
  })

  test('with --show-response, only the response body follows the line', async () => {
    const view = await openView(testIo(), { showsReply: true })
    expect(view.format(attempt, time, detail)?.split('\n').slice(1)).toEqual([
      `${' '.repeat(11)}< no`,
      `${' '.repeat(11)}< way`,
    ])
  })

  test('a lost connection shows wait and reason, deleted events their sequence', async () => {
    const view = await openView(testIo())
    const error = { code: 'unreachable', message: 'No\nconnection.' }
    const lost = { type: 'reconnecting', error, attempt: 1, wait: 900 } as const
    expect(view.format(lost, time, undefined)).toMatch(/^03:04:05Z .*0\.9 s: No connection\.$/)
    expect(view.format({ type: 'missing', after: 3 }, time, undefined)).toContain('#3')
  })
})
