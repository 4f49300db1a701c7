import { describe, expect, it, test } from 'vitest'
import { createPhoneIdentity } from '../../../src/cli/phone/running-phone.js'
import { followStatus, type RelayStatus } from '../../../src/cli/status/relay-status.js'
import { formatStatus } from '../../../src/cli/status/status-view.js'
import { findWarnings } from '../../../src/cli/status/status-warnings.js'
import { formatDuration, getAge } from '../../../src/cli/terminal/durations.js'
import type { PhoneFields, QueueFields } from '../../../src/contract/phone-schema.js'
import { formatDateTime } from '../../../src/domain/time/date-time.js'
import { RelayError } from '../../../src/errors.js'

const minute = 60_000
const now = '2030-01-01 12:00:00'

function queue(changes: Partial<QueueFields> = {}): QueueFields {
  return { waiting: 0, due: 0, leased: 0, oldest_due_on: null, counted_on: now, ...changes }
}

const due = queue({ waiting: 3, due: 2, oldest_due_on: '2030-01-01 11:58:00' })
const overdue = queue({ waiting: 1, due: 1, oldest_due_on: '2030-01-01 11:49:59' })

function phone(name: string, changes: Partial<PhoneFields> = {}): PhoneFields {
  return {
    ...{ name, driver: 'modem', silent: false },
    ...{ first_next_on: '2029-12-01 00:00:00', last_next_on: '2030-01-01 11:59:48' },
    ...{ last_success_on: '2030-01-01 11:00:00', last_failure_on: null },
    ...changes,
  }
}

const silent = phone('attic phone', { silent: true, last_next_on: '2030-01-01 11:20:00' })

const quiet = phone('asleep', {
  ...{ last_next_on: '2030-01-01 03:00:00', last_seen_on: '2030-01-01 11:59:00' },
  ...{ quiet_until: '2030-01-01 14:30:00', last_quiet_on: null },
})
/** A phone whose quiet hours ended this many minutes ago. */
const afterQuietHours = (minutes: number) => {
  const last_quiet_on = formatDateTime(Date.parse('2030-01-01T12:00:00Z') - minutes * minute)
  return phone('rested', { quiet_until: null, last_quiet_on })
}
const waiting = phone('offline', {
  ...{ last_next_on: '2030-01-01 11:54:00', last_seen_on: '2030-01-01 11:59:01' },
  ...{ quiet_until: null, last_quiet_on: null },
})

describe('findWarnings', () => {
  const codes = (depth: QueueFields, phones: PhoneFields[]) =>
    findWarnings(depth, phones, 10 * minute).map(({ code }) => code)

  it.each([
    ['nothing is due and there is no phone', queue({ waiting: 5 }), [], []],
    ['nothing is due and a phone is silent', queue(), [silent], []],
    ['messages are due and a phone requests them', due, [phone('a')], []],
    ['messages are due and there is no phone', due, [], ['no_phone']],
    ['messages are due and a phone is silent', due, [phone('a'), silent], ['silent_phone']],
    ['a message is overdue and a phone fetches', overdue, [phone('a')], ['overdue']],
    ['a message is overdue and the phone is silent', overdue, [silent], ['silent_phone']],
    ['both', overdue, [phone('a'), silent], ['silent_phone', 'overdue']],
    ['a message is overdue and all phones are quiet', overdue, [quiet], []],
    ['one of two phones is quiet', overdue, [quiet, phone('a')], ['overdue']],
    ['one phone is quiet and another silent', overdue, [quiet, silent], ['silent_phone']],
    [
      'a phone became silent in its quiet hours',
      due,
      [{ ...quiet, silent: true }],
      ['silent_phone'],
    ],
    ['the quiet hours of the only phone have just ended', overdue, [afterQuietHours(10)], []],
    [
      'the quiet hours of the only phone ended long ago',
      overdue,
      [afterQuietHours(11)],
      ['overdue'],
    ],
    ['another phone had no quiet hours', overdue, [afterQuietHours(1), phone('a')], ['overdue']],
    ['a phone runs but does not fetch', due, [waiting], []],
    ['a message is overdue and a phone runs but does not fetch', overdue, [waiting], ['overdue']],
  ] as const)('when %s', (_, depth, phones, expected) => {
    expect(codes(depth, [...phones])).toEqual(expected)
  })

  it('are empty for a message that is due for exactly the longest time', () => {
    expect(findWarnings(overdue, [phone('a')], 10 * minute + 1000)).toEqual([])
  })

  it('name the phone, the time and the next command', () => {
    const [warning] = findWarnings(due, [silent], minute)
    expect(warning).toMatchObject({
      phone: 'attic phone',
      message: expect.stringMatching(/attic phone .*40 min.* 2 messages/),
      hint: expect.stringContaining('status --forget "attic phone"'),
    })
    const silentQuiet = { ...quiet, silent: true, last_seen_on: '2030-01-01 11:53:00' }
    expect(findWarnings(due, [silentQuiet], minute)[0]).toMatchObject({
      message: expect.stringMatching(/asleep .*7 min.* 2 messages/),
    })
    expect(findWarnings(overdue, [waiting, quiet], minute)[0]).toMatchObject({
      phone: 'offline',
      message: expect.stringMatching(/10 min.* offline /),
    })
    expect(findWarnings(overdue, [waiting, phone('a')], minute)[0]).toMatchObject({
      message: expect.stringMatching(/10 min/),
    })
    expect(findWarnings(overdue, [], minute)[0]).toMatchObject({
      message: expect.stringMatching(/1 message /),
      hint: expect.stringContaining('smsrelay phone'),
    })
  })
})

it('formats phones, queue and warnings', () => {
  const phones = [phone('a'), silent]
  const warnings = findWarnings(due, phones, minute)
  const shown = formatStatus({ relay: { url: 'http://localhost' }, queue: due, phones, warnings })
  expect(shown).toBe(`relay     http://localhost
messages  2 due, 0 leased to phones, 1 scheduled
oldest    due for 2 min (since 2030-01-01 11:58:00 UTC)

PHONE        DRIVER  LAST NEXT   LAST SUCCESS  LAST FAILURE  STATE
a            modem   12 s ago    1 h ago       never         alive
attic phone  modem   40 min ago  1 h ago       never         silent

Warning: ${warnings[0]?.message}
  ${warnings[0]?.hint}

Warning: ${warnings[1]?.message}
  ${warnings[1]?.hint}`)
})

it.each([
  [phone('a'), 'alive'],
  [silent, 'silent'],
  [waiting, 'waiting'],
  [quiet, 'quiet until 14:30 UTC'],
  [{ ...quiet, quiet_until: '2030-01-02 11:59:59' }, 'quiet until 11:59 UTC'],
  [{ ...quiet, quiet_until: '2030-01-02 12:00:00' }, 'quiet until 2030-01-02 12:00 UTC'],
  [{ ...quiet, first_next_on: null, last_next_on: null }, 'quiet until 14:30 UTC'],
  [{ ...quiet, silent: true }, 'silent'],
  [afterQuietHours(1), 'alive'],
])('formats the state of phone %# as %s', (each, state) => {
  const relay = { url: 'http://localhost' }
  const shown = formatStatus({ relay, queue: due, phones: [each], warnings: [] })
  const ago = each.last_next_on === null ? 'never' : '\\d+ (s|min|h) ago'
  expect(shown).toMatch(new RegExp(`^${each.name} +modem +${ago} +1 h ago +never +${state}$`, 'm'))
})

it('lists each phone below the other on a narrow terminal', () => {
  const relay = { url: 'http://localhost' }
  const status = { relay, queue: due, phones: [phone('a')], warnings: [] }
  const lines = formatStatus(status, { width: 40 }).split('\n')
  expect(lines).toContain('phone         a')
  expect(lines).toContain('state         alive')
})

it('formats a status without phones', () => {
  const status = { relay: { url: 'http://localhost' }, queue: queue(), phones: [], warnings: [] }
  expect(formatStatus(status).split('\n\n')).toHaveLength(2)
})

it.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [minute, '1 min'],
  [59 * minute, '59 min'],
  [60 * minute, '1 h'],
  [47 * 60 * minute, '47 h'],
  [48 * 60 * minute, '2 days'],
])('%i milliseconds are formatted as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

it('an age is never negative', () => {
  expect(getAge('2030-01-01 12:00:01', now)).toBe(0)
})

describe('followStatus', () => {
  /** Reads the status of a relay that gives these answers in turn. */
  async function follow(answers: (QueueFields | Error)[]) {
    const stop = new AbortController()
    const missed: string[] = []
    const rest = async () => {
      if (answers.length === 0) stop.abort()
    }
    const client = {
      url: 'http://localhost',
      status: {
        listPhones: async () => [],
        getStatus: async () => ({ problems: [] }),
        getQueue: async () => {
          const answer = answers.shift()
          if (answer === undefined || answer instanceof Error) throw answer
          return answer
        },
      },
    }
    const seen: RelayStatus[] = []
    const options = { signal: stop.signal, maxAge: minute, wait: rest }
    const onMiss = (sentence: string) => missed.push(sentence)
    for await (const each of followStatus(client, { ...options, onFailure: onMiss }))
      seen.push(each)
    return { due: seen.map(each => each.queue.due), missed }
  }

  const away = new RelayError('unreachable', 'away')

  it('skips transient errors', async () => {
    expect(await follow([queue(), away, due])).toEqual({ due: [0, 2], missed: ['away'] })
  })

  it('throws the first error, and later errors that are not transient', async () => {
    await expect(follow([away])).rejects.toBe(away)
    const refused = new RelayError('invalid_client', 'no')
    await expect(follow([queue(), refused])).rejects.toBe(refused)
  })
})

describe('the name of a phone', () => {
  it('is the given one, or that of the host', () => {
    expect(createPhoneIdentity('desk 1', 'host', 'modem')).toEqual({
      name: 'desk 1',
      driver: 'modem',
    })
    expect(createPhoneIdentity(undefined, 'host', 'modem').name).toBe('host')
  })

  it.each(['', ' a', 'x'.repeat(65), 'b\u00fcro', '..', 'a\nb'])('cannot be %j', name => {
    expect(() => createPhoneIdentity(name, 'host', 'modem')).toThrow('--name')
  })

  test.each([
    ['b\u00fcro', 'b?ro'],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
    ['', 'unnamed'],
  ])('is derived from the host name %j', (host, name) => {
    expect(createPhoneIdentity(undefined, host, 'm'.repeat(99))).toEqual({
      name,
      driver: 'm'.repeat(64),
    })
  })
})
