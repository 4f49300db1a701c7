import type { Point } from '../inside/point.js'

const journal = '^journal-\\d+\\.ndjson$'

/** All steps of a durable change; `text` is a pattern of its record in the journal. */
function listSteps(text: string): Point[] {
  const written = { file: journal, text }
  return [
    { act: 'write', when: 'before', ...written },
    { act: 'write', when: 'torn', ...written },
    { act: 'write', when: 'after', ...written },
    { act: 'sync', when: 'after', ...written },
    { act: 'reply', when: 'after', ...written },
  ]
}

const id = '"([0-9a-f]{8}-[0-9a-f-]{27})"'

/** Patterns of records in the journal; the first group is the identifier of the message. */
const records = {
  create: `"event":"message\\.create","message":${id}`,
  claim: `\\["message",${id},\\{[^{}]*"lease":\\{`,
  success: `"event":"message\\.sent","message":${id}`,
  failure: `\\["message",${id},\\{[^{}]*"status":"E"[^{}]*\\}`,
  cursor: '\\["subscription",',
} as const

/** Creating a message. */
export const createPoints = listSteps(records.create)

/** NEXT. */
export const claimPoints = listSteps(records.claim)

/** The reports of success and of failure. */
export const reportPoints = [...listSteps(records.success), ...listSteps(records.failure)]

const taken = `\\["received",${id}`

/** Storing a received text. */
export const receivedPoints: readonly Point[] = [
  ...listSteps(taken),
  withPowerCut({ act: 'sync', when: 'before', file: journal, text: taken }),
  withPowerCut({ act: 'reply', when: 'after', text: taken }),
]

/** Releasing a message. */
export const releasePoints = listSteps(`\\["message",${id},\\{[^{}]*"lastHolder":null`)

/** The webhook of an event, and the record of its delivery. */
export const eventPoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^POST /hook/' },
  { act: 'request', when: 'after', text: '^POST /hook/' },
  ...listSteps(records.cursor).filter(({ act }) => act !== 'reply'),
]

/** The same for any method on paths below `/subscription/`. */
export const subscriptionPoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^\\S+ /subscription/' },
  { act: 'request', when: 'after', text: '^\\S+ /subscription/' },
  ...listSteps(records.cursor).filter(({ act }) => act !== 'reply'),
]

const temporary = '^snapshot-\\d+\\.ndjson\\.tmp$'
const snapshot = '^snapshot-\\d+\\.ndjson$'
const header = '"smsrelay":"journal"'

/** New journal, new snapshot in a worker, its rename, deletion of the old files. */
export const compactionPoints: readonly Point[] = setFirst([
  { act: 'write', when: 'before', file: journal, text: header },
  { act: 'write', when: 'torn', file: journal, text: header },
  { act: 'write', when: 'after', file: journal, text: header },
  { act: 'sync', when: 'after', file: journal, text: header },
  { act: 'write', when: 'before', file: temporary },
  { act: 'write', when: 'torn', file: temporary },
  { act: 'sync', when: 'before', file: temporary },
  { act: 'sync', when: 'after', file: temporary },
  { act: 'rename', when: 'before', file: snapshot },
  { act: 'rename', when: 'after', file: snapshot },
  { act: 'remove', when: 'before', file: `${snapshot}|${journal}` },
  { act: 'remove', when: 'after', file: `${snapshot}|${journal}` },
])

/** Power cuts: each record after its write and before its sync, and after its reply. */
export const powerPoints: readonly Point[] = [
  ...Object.values(records).map(text =>
    withPowerCut({ act: 'sync', when: 'before', file: journal, text }),
  ),
  ...[records.create, records.claim, records.success, records.failure].map(text =>
    withPowerCut({ act: 'reply', when: 'after', text }),
  ),
  withPowerCut({ act: 'request', when: 'after', text: '^POST /hook/' }),
]

/** Power cuts during a compaction. */
export const compactionPowerPoints: readonly Point[] = setFirst([
  withPowerCut({ act: 'sync', when: 'before', file: journal, text: header }),
  withPowerCut({ act: 'sync', when: 'before', file: temporary }),
  withPowerCut({ act: 'rename', when: 'after', file: snapshot }),
  withPowerCut({ act: 'remove', when: 'before', file: `${snapshot}|${journal}` }),
])

/** The first act of the kind, because a process has only one. */
function setFirst(points: readonly Point[]): Point[] {
  return points.map(point => ({ ...point, nth: 1 }))
}

function withPowerCut(point: Point): Point {
  return { ...point, power: true }
}

const phoneJournal = '^journal$'
const begin = '"do":"begin"'
const end = '"do":"end"'
const settle = '"do":"settle"'

/** A phone before it calls the driver. */
export const phoneBeforePoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^NEXT ' },
  { act: 'request', when: 'after', text: '^NEXT ' },
  { act: 'write', when: 'before', file: phoneJournal, text: begin },
  { act: 'write', when: 'torn', file: phoneJournal, text: begin },
  { act: 'write', when: 'after', file: phoneJournal, text: begin },
  { act: 'sync', when: 'before', file: phoneJournal, text: begin, power: true },
  { act: 'sync', when: 'after', file: phoneJournal, text: begin },
  { act: 'sync', when: 'after', file: phoneJournal, text: begin, power: true },
]

/** A phone after the driver has ended, until its outcome is on the disk. */
export const phoneInsidePoints: readonly Point[] = [
  { act: 'write', when: 'before', file: phoneJournal, text: end },
  { act: 'write', when: 'torn', file: phoneJournal, text: end },
  { act: 'sync', when: 'before', file: phoneJournal, text: end, power: true },
]

/** A phone after that, until the reply of the relay is recorded. */
export const phoneAfterPoints: readonly Point[] = [
  { act: 'write', when: 'after', file: phoneJournal, text: end },
  { act: 'sync', when: 'after', file: phoneJournal, text: end },
  { act: 'sync', when: 'after', file: phoneJournal, text: end, power: true },
  { act: 'request', when: 'before', text: '^PUT \\S+/success' },
  { act: 'request', when: 'after', text: '^PUT \\S+/success' },
  { act: 'request', when: 'after', text: '^PUT \\S+/success', power: true },
  { act: 'write', when: 'before', file: phoneJournal, text: settle },
  { act: 'write', when: 'torn', file: phoneJournal, text: settle },
  { act: 'write', when: 'after', file: phoneJournal, text: settle },
  { act: 'write', when: 'after', file: phoneJournal, text: settle, power: true },
]

const received = { file: '^received$', text: '"do":"came"' } as const
const forwarded = { file: '^received$', text: '"do":"gone"' } as const

/** A phone from a text on the SIM card until the relay has it and both are recorded. */
export const phoneReceivedPoints: readonly Point[] = [
  { act: 'write', when: 'before', ...received },
  { act: 'write', when: 'torn', ...received },
  { act: 'sync', when: 'before', ...received, power: true },
  { act: 'sync', when: 'after', ...received },
  { act: 'sync', when: 'after', ...received, power: true },
  { act: 'request', when: 'before', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received', power: true },
  { act: 'write', when: 'before', ...forwarded },
  { act: 'write', when: 'torn', ...forwarded },
  { act: 'sync', when: 'before', ...forwarded, power: true },
  { act: 'sync', when: 'after', ...forwarded },
]

/** A phone that releases a message. */
export const phoneReleasePoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^PUT \\S+/release', nth: 1 },
  { act: 'request', when: 'after', text: '^PUT \\S+/release', nth: 1 },
]

/** Describes a point. */
export function formatPoint({ act, when, file, text, power }: Point): string {
  const target = [act, file, text].filter(each => each !== undefined).join(' ')
  return `${when} ${target}${power === true ? ', data without a sync lost' : ''}`
}
