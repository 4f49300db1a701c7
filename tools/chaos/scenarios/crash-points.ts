import type { CrashPoint } from '../injection/crash-point.js'

const journalFile = '^journal-\\d+\\.ndjson$'

/**
 * Every step of storing a change and replying; `text` is a pattern of its record in the journal.
 */
function createSteps(text: string): CrashPoint[] {
  const written = { file: journalFile, text }
  return [
    { act: 'write', when: 'before', ...written },
    { act: 'write', when: 'torn', ...written },
    { act: 'write', when: 'after', ...written },
    { act: 'sync', when: 'after', ...written },
    { act: 'reply', when: 'after', ...written },
  ]
}

const id = '"([0-9a-f]{8}-[0-9a-f-]{27})"'

/** Records in the journal; the first group is the identifier of the message. */
const recordPatterns = {
  create: `"event":"message\\.create","message":${id}`,
  claim: `\\["message",${id},\\{[^{}]*"lease":\\{`,
  success: `"event":"message\\.sent","message":${id}`,
  failure: `\\["message",${id},\\{[^{}]*"status":"E"[^{}]*\\}`,
  cursor: '\\["subscription",',
} as const

export const createPoints = createSteps(recordPatterns.create)

/** The same for a batch, in which the record of a message is one of several, and power cuts. */
export const batchCreatePoints: readonly CrashPoint[] = [
  ...createPoints,
  addPowerCut({ act: 'sync', when: 'before', file: journalFile, text: recordPatterns.create }),
  addPowerCut({ act: 'reply', when: 'after', text: recordPatterns.create }),
]

export const claimPoints = createSteps(recordPatterns.claim)

export const reportPoints = [
  ...createSteps(recordPatterns.success),
  ...createSteps(recordPatterns.failure),
]

const receivedRecord = `\\["received",${id}`

export const receivedPoints: readonly CrashPoint[] = [
  ...createSteps(receivedRecord),
  addPowerCut({ act: 'sync', when: 'before', file: journalFile, text: receivedRecord }),
  addPowerCut({ act: 'reply', when: 'after', text: receivedRecord }),
]

export const releasePoints = createSteps(`\\["message",${id},\\{[^{}]*"lastHolder":null`)

/** The webhook of an event, and the record of its delivery. */
export const eventPoints: readonly CrashPoint[] = [
  { act: 'request', when: 'before', text: '^POST /webhook/' },
  { act: 'request', when: 'after', text: '^POST /webhook/' },
  ...createSteps(recordPatterns.cursor).filter(({ act }) => act !== 'reply'),
]

/** The same for any method and the URLs of the check of events. */
export const deliveryPoints: readonly CrashPoint[] = [
  { act: 'request', when: 'before', text: '^\\S+ /subscription/' },
  { act: 'request', when: 'after', text: '^\\S+ /subscription/' },
  ...createSteps(recordPatterns.cursor).filter(({ act }) => act !== 'reply'),
]

const temporarySnapshot = '^snapshot-\\d+\\.ndjson\\.tmp$'
const snapshot = '^snapshot-\\d+\\.ndjson$'
const journalHeader = '"smsrelay":"journal"'
const manifest = '^manifest\\.json$'
const temporaryManifest = '^manifest\\.json\\.tmp$'

/**
 * Replacing the manifest: at the start, with the new journal and with the new snapshot. The relay
 * removes left-over temporary files, which is not one of the writes.
 */
const manifestPoints: readonly CrashPoint[] = [1, 2, 3].flatMap(nth =>
  [
    { act: 'write', when: 'torn', file: temporaryManifest } as const,
    { act: 'rename', when: 'before', file: manifest } as const,
    { act: 'rename', when: 'after', file: manifest } as const,
  ].map(point => ({ ...point, nth })),
)

/** Starting a new journal, writing the snapshot in a worker, renaming it, removing old files. */
export const compactionPoints: readonly CrashPoint[] = limitToFirst([
  { act: 'write', when: 'before', file: journalFile, text: journalHeader },
  { act: 'write', when: 'torn', file: journalFile, text: journalHeader },
  { act: 'write', when: 'after', file: journalFile, text: journalHeader },
  { act: 'sync', when: 'after', file: journalFile, text: journalHeader },
  { act: 'write', when: 'before', file: temporarySnapshot },
  { act: 'write', when: 'torn', file: temporarySnapshot },
  { act: 'sync', when: 'before', file: temporarySnapshot },
  { act: 'sync', when: 'after', file: temporarySnapshot },
  { act: 'rename', when: 'before', file: snapshot },
  { act: 'rename', when: 'after', file: snapshot },
  ...manifestPoints,
  { act: 'remove', when: 'before', file: `${snapshot}|${journalFile}` },
  { act: 'remove', when: 'after', file: `${snapshot}|${journalFile}` },
])

/**
 * Crashes that lose data: after each record is written and before its sync, and after its reply.
 */
export const powerPoints: readonly CrashPoint[] = [
  ...Object.values(recordPatterns).map(text =>
    addPowerCut({ act: 'sync', when: 'before', file: journalFile, text }),
  ),
  ...[
    recordPatterns.create,
    recordPatterns.claim,
    recordPatterns.success,
    recordPatterns.failure,
  ].map(text => addPowerCut({ act: 'reply', when: 'after', text })),
  addPowerCut({ act: 'request', when: 'after', text: '^POST /webhook/' }),
]

export const compactionPowerPoints: readonly CrashPoint[] = limitToFirst([
  addPowerCut({ act: 'sync', when: 'before', file: journalFile, text: journalHeader }),
  addPowerCut({ act: 'sync', when: 'before', file: temporarySnapshot }),
  addPowerCut({ act: 'rename', when: 'after', file: snapshot }),
  ...manifestPoints.map(addPowerCut),
  addPowerCut({ act: 'remove', when: 'before', file: `${snapshot}|${journalFile}` }),
])

/** Each of these actions happens once in a run of the relay. */
function limitToFirst(points: readonly CrashPoint[]): CrashPoint[] {
  return points.map(point => ({ nth: 1, ...point }))
}

function addPowerCut(point: CrashPoint): CrashPoint {
  return { ...point, power: true }
}

const phoneJournal = '^journal$'
const beginRecord = '"do":"begin"'
const endRecord = '"do":"end"'
const settleRecord = '"do":"settle"'

/** Before the phone calls the driver. */
export const phoneBeforePoints: readonly CrashPoint[] = [
  { act: 'request', when: 'before', text: '^NEXT ' },
  { act: 'request', when: 'after', text: '^NEXT ' },
  { act: 'write', when: 'before', file: phoneJournal, text: beginRecord },
  { act: 'write', when: 'torn', file: phoneJournal, text: beginRecord },
  { act: 'write', when: 'after', file: phoneJournal, text: beginRecord },
  { act: 'sync', when: 'before', file: phoneJournal, text: beginRecord, power: true },
  { act: 'sync', when: 'after', file: phoneJournal, text: beginRecord },
  { act: 'sync', when: 'after', file: phoneJournal, text: beginRecord, power: true },
]

/** After the driver has ended, until its result is on the disk. */
export const phoneInsidePoints: readonly CrashPoint[] = [
  { act: 'write', when: 'before', file: phoneJournal, text: endRecord },
  { act: 'write', when: 'torn', file: phoneJournal, text: endRecord },
  { act: 'sync', when: 'before', file: phoneJournal, text: endRecord, power: true },
]

/** After that, until the relay's reply is recorded. */
export const phoneAfterPoints: readonly CrashPoint[] = [
  { act: 'write', when: 'after', file: phoneJournal, text: endRecord },
  { act: 'sync', when: 'after', file: phoneJournal, text: endRecord },
  { act: 'sync', when: 'after', file: phoneJournal, text: endRecord, power: true },
  { act: 'request', when: 'before', text: '^POST \\S+/report' },
  { act: 'request', when: 'after', text: '^POST \\S+/report' },
  { act: 'request', when: 'after', text: '^POST \\S+/report', power: true },
  { act: 'write', when: 'before', file: phoneJournal, text: settleRecord },
  { act: 'write', when: 'torn', file: phoneJournal, text: settleRecord },
  { act: 'write', when: 'after', file: phoneJournal, text: settleRecord },
  { act: 'write', when: 'after', file: phoneJournal, text: settleRecord, power: true },
]

const storedText = { file: '^received$', text: '"do":"came"' } as const
const deletedText = { file: '^received$', text: '"do":"gone"' } as const

/** From reading a text on the SIM until the relay has it and the phone has recorded that. */
export const phoneReceivedPoints: readonly CrashPoint[] = [
  { act: 'write', when: 'before', ...storedText },
  { act: 'write', when: 'torn', ...storedText },
  { act: 'sync', when: 'before', ...storedText, power: true },
  { act: 'sync', when: 'after', ...storedText },
  { act: 'sync', when: 'after', ...storedText, power: true },
  { act: 'request', when: 'before', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received' },
  { act: 'request', when: 'after', text: '^POST \\S+/received', power: true },
  { act: 'write', when: 'before', ...deletedText },
  { act: 'write', when: 'torn', ...deletedText },
  { act: 'sync', when: 'before', ...deletedText, power: true },
  { act: 'sync', when: 'after', ...deletedText },
]

const sentPart = { file: '^receipts$', text: '"do":"sent"' } as const
const storedReceipt = { file: '^receipts$', text: '"do":"came"' } as const

/** From the network's ids of a sent text until the relay has the receipts. */
export const phoneReceiptPoints: readonly CrashPoint[] = [
  { act: 'write', when: 'before', ...sentPart },
  { act: 'write', when: 'torn', ...sentPart },
  { act: 'sync', when: 'before', ...sentPart, power: true },
  { act: 'sync', when: 'after', ...sentPart, power: true },
  { act: 'write', when: 'before', ...storedReceipt },
  { act: 'write', when: 'torn', ...storedReceipt },
  { act: 'sync', when: 'before', ...storedReceipt, power: true },
  { act: 'sync', when: 'after', ...storedReceipt, power: true },
  { act: 'request', when: 'before', text: '^POST \\S+/delivery' },
  { act: 'request', when: 'after', text: '^POST \\S+/delivery' },
]

const releaseRequest = '^POST \\S+/report[^]*"release":true'

export const phoneReleasePoints: readonly CrashPoint[] = [
  { act: 'request', when: 'before', text: releaseRequest, nth: 1 },
  { act: 'request', when: 'after', text: releaseRequest, nth: 1 },
]

export function describePoint({ act, when, file, text, power }: CrashPoint): string {
  const what = [act, file, text].filter(each => each !== undefined).join(' ')
  return `${when} ${what}${power === true ? ' and power cut' : ''}`
}
