import type { Point } from '../inside/point.js'

const journal = '^journal-\\d+\\.ndjson$'

/** Every step of making a change durable and answering it; `text` is a pattern of its record in the journal. */
function stepsOf(text: string): Point[] {
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

/** Records in the journal, and in the first group the identifier of the message where there is one. */
const records = {
  create: `"event":"message\\.create","message":${id}`,
  claim: `\\["message",${id},\\{[^{}]*"lease":\\{`,
  success: `"event":"message\\.sent","message":${id}`,
  failure: `\\["message",${id},\\{[^{}]*"status":"E"[^{}]*\\}`,
  cursor: '\\["subscription",',
} as const

/** Creating a message. */
export const createPoints = stepsOf(records.create)

/** NEXT. */
export const claimPoints = stepsOf(records.claim)

/** The reports of success and of failure. */
export const reportPoints = [...stepsOf(records.success), ...stepsOf(records.failure)]

const taken = `\\["received",${id}`

/** Taking a text that came in. */
export const receivedPoints: readonly Point[] = [
  ...stepsOf(taken),
  lossy({ act: 'sync', when: 'before', file: journal, text: taken }),
  lossy({ act: 'reply', when: 'after', text: taken }),
]

/** Taking a message back. */
export const releasePoints = stepsOf(`\\["message",${id},\\{[^{}]*"lastHolder":null`)

/** The hit of an event, and the record that it has arrived. */
export const eventPoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^POST /hook/' },
  { act: 'request', when: 'after', text: '^POST /hook/' },
  ...stepsOf(records.cursor).filter(({ act }) => act !== 'reply'),
]

/** The same where any method is used on addresses below `/lane/`. */
export const lanePoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^\\S+ /lane/' },
  { act: 'request', when: 'after', text: '^\\S+ /lane/' },
  ...stepsOf(records.cursor).filter(({ act }) => act !== 'reply'),
]

const temporary = '^snapshot-\\d+\\.ndjson\\.tmp$'
const snapshot = '^snapshot-\\d+\\.ndjson$'
const header = '"smsrelay":"journal"'

/** Beginning a new journal, writing the new snapshot in a worker, giving it its name, clearing the old files away. */
export const compactionPoints: readonly Point[] = once([
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

/** Where un-synced data is lost: every record when it was written and not yet synced, and when it was answered. */
export const powerPoints: readonly Point[] = [
  ...Object.values(records).map(text =>
    lossy({ act: 'sync', when: 'before', file: journal, text }),
  ),
  ...[records.create, records.claim, records.success, records.failure].map(text =>
    lossy({ act: 'reply', when: 'after', text }),
  ),
  lossy({ act: 'request', when: 'after', text: '^POST /hook/' }),
]

/** The same for a compaction. */
export const compactionPowerPoints: readonly Point[] = once([
  lossy({ act: 'sync', when: 'before', file: journal, text: header }),
  lossy({ act: 'sync', when: 'before', file: temporary }),
  lossy({ act: 'rename', when: 'after', file: snapshot }),
  lossy({ act: 'remove', when: 'before', file: `${snapshot}|${journal}` }),
])

/** At the first act of the kind: there is one in a life. */
function once(points: readonly Point[]): Point[] {
  return points.map(point => ({ ...point, nth: 1 }))
}

function lossy(point: Point): Point {
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

/** A phone after the driver has ended, until what it said is on the disk. */
export const phoneInsidePoints: readonly Point[] = [
  { act: 'write', when: 'before', file: phoneJournal, text: end },
  { act: 'write', when: 'torn', file: phoneJournal, text: end },
  { act: 'sync', when: 'before', file: phoneJournal, text: end, power: true },
]

/** A phone after that, until the relay's answer is noted. */
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

const keeps = { file: '^received$', text: '"do":"came"' } as const
const forgets = { file: '^received$', text: '"do":"gone"' } as const

/** A phone from reading a text on the SIM until the relay has it and both are noted; deleted from the SIM in between. */
export const phoneReceivedPoints: readonly Point[] = [
  { act: 'write', when: 'before', ...keeps },
  { act: 'write', when: 'torn', ...keeps },
  { act: 'sync', when: 'before', ...keeps, power: true },
  { act: 'sync', when: 'after', ...keeps },
  { act: 'sync', when: 'after', ...keeps, power: true },
  { act: 'request', when: 'before', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received', power: true },
  { act: 'write', when: 'before', ...forgets },
  { act: 'write', when: 'torn', ...forgets },
  { act: 'sync', when: 'before', ...forgets, power: true },
  { act: 'sync', when: 'after', ...forgets },
]

/** A phone that gives back what it cannot send. */
export const phoneReleasePoints: readonly Point[] = [
  { act: 'request', when: 'before', text: '^PUT \\S+/release', nth: 1 },
  { act: 'request', when: 'after', text: '^PUT \\S+/release', nth: 1 },
]

/** A point in words. */
export function inWords({ act, when, file, text, power }: Point): string {
  const what = [act, file, text].filter(each => each !== undefined).join(' ')
  return `${when} ${what}${power === true ? ', un-synced data lost' : ''}`
}
