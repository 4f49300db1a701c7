import { expect, test } from 'vitest'
import { createMessage, messageIn } from '../acts.js'
import { type Caller, expectError, useCallers } from '../calls.js'

const at = useCallers()

interface Counted {
  from: string
  created: number
  sent: number
  failed: number
  blocked: number
}

interface Statistics {
  utc_offset: number
  today: Counted
  hours: Counted[]
  days: Counted[]
}

async function statistics(query = '', caller: Caller = at.api): Promise<Statistics> {
  const reply = await caller.get(`/statistics${query}`)
  expect(reply.status, reply.text).toBe(200)
  return (JSON.parse(reply.text) as { statistics: Statistics }).statistics
}

function sum(spans: Counted[]): Omit<Counted, 'from'> {
  const of = (name: 'created' | 'sent' | 'failed' | 'blocked') =>
    spans.reduce((all, span) => all + span[name], 0)
  return { created: of('created'), sent: of('sent'), failed: of('failed'), blocked: of('blocked') }
}

const parseTime = ({ from }: Counted) => Date.parse(`${from.replace(' ', 'T')}Z`)
const hour = 3_600_000

test('extension: GET /statistics counts created, sent, failed and blocked messages', async () => {
  const before = sum((await statistics()).hours)
  for (const letter of ['N', 'S', 'S', 'F', 'B', 'D']) await messageIn(at.api, letter)
  const after = await statistics()
  const grown = { created: 6, sent: 2, failed: 1, blocked: 1 }
  for (const spans of [after.hours, after.days]) {
    expect(sum(spans)).toEqual({
      created: before.created + grown.created,
      sent: before.sent + grown.sent,
      failed: before.failed + grown.failed,
      blocked: before.blocked + grown.blocked,
    })
  }
  expect(after.today).toEqual(after.days.at(-1))
})

test('extension: a removed message still counts', async () => {
  const id = await messageIn(at.api, 'S')
  const before = sum((await statistics()).days)
  expect((await at.api.delete(`/message/${id}`)).status).toBe(200)
  expect(sum((await statistics()).days)).toEqual(before)
})

test('extension: statistics have the last 48 hours and 90 days without a gap', async () => {
  const now = Date.now()
  const { hours, days, utc_offset } = await statistics()
  expect(utc_offset).toBe(0)
  for (const [spans, length, count] of [
    [hours, hour, 48],
    [days, 24 * hour, 90],
  ] as const) {
    const first = parseTime(spans[0] as Counted)
    expect(first % length).toBe(0)
    expect(spans.map(parseTime)).toEqual(
      Array.from({ length: count }, (_, n) => first + n * length),
    )
    expect(Math.abs(first + (count - 1) * length - Math.floor(now / length) * length)).toBeLessThan(
      length + 1,
    )
  }
})

test.each([330, -210, 840, -720])(
  'extension: utc_offset=%i selects the hours and days of that clock',
  async offset => {
    const { utc_offset, hours, days } = await statistics(`?utc_offset=${offset}`)
    expect(utc_offset).toBe(offset)
    expect((parseTime(days[0] as Counted) + offset * 60_000) % (24 * hour)).toBe(0)
    expect((parseTime(hours[0] as Counted) + offset * 60_000) % hour).toBe(0)
    const end = parseTime(days.at(-1) as Counted) + 24 * hour
    expect(end).toBeGreaterThan(Date.now())
    expect(end - 24 * hour).toBeLessThanOrEqual(Date.now())
  },
)

test.each(['7', '855', '-735', 'Berlin', '1e2', ''])(
  'extension: utc_offset=%s is invalid_parameter',
  async offset => {
    const reply = await at.api.get(`/statistics?utc_offset=${offset}`)
    expectError(reply, 400, 'invalid_parameter', 'utc_offset')
  },
)

test('extension: statistics count only the own account', async () => {
  const before = await statistics('', at.stranger)
  await createMessage(at.api)
  expect(sum((await statistics('', at.stranger)).days)).toEqual(sum(before.days))
})
