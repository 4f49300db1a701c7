import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PartPosition, parsePartHeader, parsePort } from '../../../domain/sms/part-header.js'
import { decodeUcs2 } from '../../../domain/sms/ucs-2.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { DriverError, type DriverListener, type IncomingText } from '../../driver-port/driver.js'
import { hasSucceeded } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'
import { describeGammuOutput } from './gammu-output.js'

type RunGammu = (args: readonly string[]) => Promise<ProgramResult>

interface StoredText {
  readonly from: string
  readonly text: string
  readonly sent: string
  readonly part?: PartPosition
  /** Whether the end of the SMS part may split a character, so that gammu prints neither half. */
  readonly mayBeSplit: boolean
  /** Whether the SMS has octets without an alphabet, which gammu does not print. */
  readonly isData: boolean
}

/** A text in a backup of gammu: exact, but without its location in the phone. */
interface BackedUpText {
  readonly from: string
  /** The content in hexadecimal. */
  readonly content: string
  /** User data header of the SMS part in hexadecimal, with its length octet. */
  readonly header: string
  readonly isData: boolean
}

/**
 * Reads the texts received by a gammu phone and deletes each once it is stored. Throws `trouble`. A
 * list of several texts is ambiguous, because a text may look like the beginning of another. So the
 * list only gives locations, and each text is read by itself.
 */
export async function readGammuInbox(run: RunGammu, listener: DriverListener): Promise<void> {
  const locations = parseLocations(await runOrThrow(run, ['getallsms']))
  let notDeleted: ProgramResult | undefined
  let backup: Promise<readonly BackedUpText[]> | undefined
  for (const location of locations) {
    const stored = parseStoredText(await runOrThrow(run, ['getsms', '0', location]))
    if (stored === undefined) continue
    const { from, sent, part, mayBeSplit, isData } = stored
    // Only a backup of gammu has both halves of a split character, and octets.
    if (mayBeSplit || isData) backup ??= readBackup(run)
    const exact = isData ? findData : findExactText
    const content = exact(stored, mayBeSplit || isData ? ((await backup) ?? []) : [])
    // gammu uses locations again, so the text itself identifies it.
    const ref = hashText(JSON.stringify([from, stored.text, sent, part]))
    await listener.onText({
      ...{ from, at: parseSentTime(sent), ref },
      ...content,
      ...(part && { part }),
    })
    const deleted = await run(['deletesms', '0', location])
    if (!hasSucceeded(deleted)) notDeleted ??= deleted
  }
  if (notDeleted !== undefined) throw inboxError('A received text cannot be deleted', notDeleted)
}

async function runOrThrow(run: RunGammu, args: readonly string[]): Promise<string> {
  const result = await run(args)
  if (hasSucceeded(result)) return result.stdout
  throw inboxError('Received texts cannot be read', result)
}

function inboxError(problem: string, result: ProgramResult): DriverError {
  return new DriverError('trouble', `${problem}. ${describeGammuOutput(result)}`)
}

/**
 * A received text may contain a line that looks like a location of gammu; that location is then
 * empty.
 */
function parseLocations(list: string): readonly string[] {
  const headings = list.matchAll(/^Location (\d{1,9}), folder /gm)
  return [...new Set([...headings].flatMap(([, location]) => location ?? []))]
}

/** Parses the time that gammu prints to milliseconds since the epoch; 0 if it cannot be parsed. */
function parseSentTime(sent: string): number {
  const at = Date.parse(sent)
  return Number.isNaN(at) ? 0 : at
}

/**
 * Parses the output of `gammu getsms` for one location: lines of a name and a value, an empty line,
 * the text, an empty line. Undefined if no received text is there.
 */
export function parseStoredText(printed: string): StoredText | undefined {
  const end = printed.indexOf('\n\n')
  const head = printed.slice(0, end + 1)
  if (end === -1 || !/^Location [^\n]*\nSMS message\n/.test(head)) return undefined
  const from = /^Remote number +: "([\s\S]*?)"$/m.exec(head)?.[1]
  if (from === undefined || !/^Status +: (UnRead|Read)$/m.test(head)) return undefined
  const part = parsePart(head)
  return {
    from,
    text: printed.slice(end + 2).replace(/\n\n$/, ''),
    sent: /^Sent +: (.*)$/m.exec(head)?.[1] ?? '',
    ...(part === undefined ? {} : { part }),
    mayBeSplit: part !== undefined && /^Coding +: Unicode/m.test(head),
    isData: /^Coding +: 8.bit/m.test(head),
  }
}

/**
 * Parses gammu's `User Data Header : Concatenated (linked) message, ID (8 bit) 164, part 1 of 2`.
 */
function parsePart(head: string): PartPosition | undefined {
  const found = /^User Data Header .*ID \(\d+ bit\) (\d+), part (\d+) of (\d+)$/m.exec(head)
  const [reference = 0, number = 0, count = 0] = (found ?? []).slice(1).map(Number)
  return number >= 1 && number <= count ? { reference, number, count } : undefined
}

/**
 * Reads all texts through a backup of gammu, a file that only this user can read; empty without
 * one.
 */
async function readBackup(run: RunGammu): Promise<readonly BackedUpText[]> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  try {
    const path = join(folder, 'backup')
    await run(['backupsms', path, '-all'])
    return parseBackup(await readFile(path, 'utf8').catch(() => ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Content = Pick<IncomingText, 'text' | 'isData' | 'port'>

function findExactText(stored: StoredText, backup: readonly BackedUpText[]): Content {
  const texts = backup
    .filter(each => each.from === stored.from && isSamePart(each.header, stored.part))
    .map(({ content }) => decodeHex(content))
  const text = texts.find(each => normalizeText(each) === normalizeText(stored.text))
  return { text: text ?? stored.text }
}

/** The octets of an SMS, and their port; no octets if the backup has several that may be it. */
function findData(stored: StoredText, backup: readonly BackedUpText[]): Content {
  const [found, ...others] = backup.filter(
    each => each.isData && each.from === stored.from && isSamePart(each.header, stored.part),
  )
  const isCertain = found !== undefined && others.length === 0
  const port = parsePort(Buffer.from(found?.header ?? '', 'hex').subarray(1))
  return {
    text: isCertain ? Buffer.from(found.content, 'hex').toString('latin1') : '',
    isData: true,
    ...(port === undefined ? {} : { port }),
  }
}

function parseBackup(file: string): BackedUpText[] {
  return file
    .split(/^\[SMSBackup\d+\]$/m)
    .slice(1)
    .map(section => {
      const content = [...section.matchAll(/^Text\d+ = ([\dA-F]*)/gm)]
        .map(([, hex]) => hex)
        .join('')
      const from = /^NumberUnicode = ([\dA-F]*)/m.exec(section)?.[1] ?? ''
      const header = /^UDH = ([\dA-F]*)/m.exec(section)?.[1] ?? ''
      const isData = /^Coding = 8.?bit/im.test(section)
      return { from: decodeHex(from), content, header, isData }
    })
}

function decodeHex(hex: string): string {
  return decodeUcs2(Buffer.from(hex, 'hex'))
}

function isSamePart(header: string, part: PartPosition | undefined): boolean {
  if (part === undefined && header === '') return true
  const found = parsePartHeader(Buffer.from(header, 'hex').subarray(1))
  return (
    found?.reference === part?.reference &&
    found?.count === part?.count &&
    found?.number === part?.number
  )
}

/** gammu prints half a character as another one. */
function normalizeText(text: string): string {
  return text.replace(/[\p{Cs}\ufffd?]/gu, '')
}
