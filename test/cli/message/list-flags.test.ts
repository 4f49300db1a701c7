import { expect, test } from 'vitest'
import { parseListFlags } from '../../../src/cli/message/list-flags.js'

const now = Date.UTC(2030, 0, 31, 12)
const none = {
  ...{ filter: 'normal', order: 'desc', since: undefined, until: undefined, to: undefined },
  ...{ phone: undefined, source: undefined, reason: undefined, start: undefined, count: undefined },
}

test.each([
  ['90s', '2030-01-31 11:58:30'],
  ['90m', '2030-01-31 10:30:00'],
  ['12h', '2030-01-31 00:00:00'],
  ['1d', '2030-01-30 12:00:00'],
  ['2w', '2030-01-17 12:00:00'],
  ['2030-01-01 00:00:00', '2030-01-01 00:00:00'],
  ['2030-01-01T00:00:00+02:00', '2029-12-31 22:00:00'],
])('--since %s and --until %s', (text, time) => {
  expect(parseListFlags({ ...none, since: text, until: text }, now)).toMatchObject({
    since: time,
    until: time,
  })
})

test.each(['', '1', '1x', '-1d', 'yesterday', '2030-13-01 00:00:00', '1d 2h'])(
  '--since "%s" is a usage error',
  text => {
    expect(() => parseListFlags({ ...none, since: text }, now)).toThrow(
      `--since ${JSON.stringify(text)} is not a time.`,
    )
  },
)
