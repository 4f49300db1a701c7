import fc from 'fast-check'
import {
  type Message,
  type Status,
  sources,
  statusNames,
} from '../../../../../src/domain/message/message.js'

export const otherIds = ['m1', '', 'm2', 'ſ'.repeat(36), '0189ABCD-0000-7000-8000-000000000000']
export const uuids = Array.from(
  { length: 20 },
  (_, n) => `0189abcd-${String(n % 3).padStart(4, '0')}-7000-8000-${String(n).padStart(12, '0')}`,
)
const time = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, 1_700_000_000_000, 2 ** 48 - 1, 2 ** 48, 1.5, -1),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('', '"', '\\', 'a\nb', '\ud800', '\udc00x', '€', '😀', 'x'.repeat(30_000)),
)
const status = fc.constantFrom(...(Object.keys(statusNames) as Status[]))

export const fields = fc.record(
  {
    account: fc.constantFrom('acc-a', 'acc-b', 'a', 'ü', 'quote"', ''),
    destination: text,
    number: text,
    text,
    source: fc.constantFrom(...sources),
    status,
    createdAt: time,
    sendAt: time,
    statusAt: time,
    failures: fc.constantFrom(0, 1, 5, 300, 70_000),
    retryAt: time,
    lease: fc.constant({ holder: 'h', until: 5 }),
    lastHolder: text,
    parts: fc.constantFrom(1, 7, 65_535, 65_536),
    error: text,
    reportKey: text,
    before: status,
    phone: text,
    delivery: text,
    attempts: text,
    leases: text,
    leasedAt: time,
    other: fc.constant('of a later version'),
  },
  {
    requiredKeys: [
      ...(['account', 'destination', 'number', 'text', 'source', 'status'] as const),
      ...(['createdAt', 'sendAt', 'statusAt', 'failures'] as const),
    ],
  },
)
/** Messages of the usual form, which become records when they are final. */
export const usual = fields.map(({ other: _, lease: __, leasedAt: ___, ...message }) => ({
  ...message,
  account: 'acc-a',
  status: message.before ?? 'S',
  createdAt: 1_700_000_000_000,
  sendAt: 1_700_000_000_000,
  statusAt: 1_700_000_009_000,
  retryAt: 1_700_000_005_000,
  failures: 2,
  parts: 3,
  number: message.destination,
}))

export function createSent(id: string, text: string): Message {
  return {
    id,
    account: 'acc-a',
    destination: '+15550100',
    number: '+15550100',
    text,
    source: 'api',
    status: 'S',
    createdAt: 1_700_000_000_000,
    sendAt: 1_700_000_000_000,
    statusAt: 1_700_000_004_000,
    failures: 0,
    lastHolder: 'f'.repeat(64),
    parts: 1,
  }
}
