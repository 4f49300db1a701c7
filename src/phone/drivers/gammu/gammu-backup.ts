import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunGammu } from './gammu-inbox.js'
import type { StoredText } from './gammu-stored-text.js'

/** A text in a backup of gammu, where nothing is lost; but it does not say where the text is in the phone. */
export interface BackedUpText {
  readonly from: string
  readonly text: string
  /** User data header in hexadecimal (3GPP TS 23.040 section 9.2.3.24). */
  readonly header: string
}

/** All texts in the phone, by way of a file that only this user can read; none when gammu makes no backup. */
export async function readBackup(run: RunGammu): Promise<readonly BackedUpText[]> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  try {
    const path = join(folder, 'backup')
    await run(['backupsms', path, '-all'])
    return parseBackup(await readFile(path, 'utf8').catch(() => ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text of a part as the backup has it; as it was printed where the backup does not have it. */
export function findExactText(stored: StoredText, backup: readonly BackedUpText[]): string {
  const same = backup.find(
    each =>
      each.from === stored.from &&
      isSamePart(each.header, stored.part) &&
      normalizeText(each.text) === normalizeText(stored.text),
  )
  return same?.text ?? stored.text
}

function parseBackup(file: string): BackedUpText[] {
  return file
    .split(/^\[SMSBackup\d+\]$/m)
    .slice(1)
    .map(section => {
      const texts = [...section.matchAll(/^Text\d+ = ([\dA-F]*)/gm)].map(([, hex]) => hex).join('')
      const from = /^NumberUnicode = ([\dA-F]*)/m.exec(section)?.[1] ?? ''
      const header = /^UDH = ([\dA-F]*)/m.exec(section)?.[1] ?? ''
      return { from: decodeUtf16(from), text: decodeUtf16(texts), header }
    })
}

function decodeUtf16(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
}

/** Whether a header names the part, in either length of a reference (3GPP TS 23.040 section 9.2.3.24.1 and 9.2.3.24.8). */
function isSamePart(header: string, part: StoredText['part']): boolean {
  if (part === undefined) return header === ''
  const hex = (value: number, length: number) =>
    value.toString(16).toUpperCase().padStart(length, '0')
  const end = `${hex(part.count, 2)}${hex(part.number, 2)}`
  return ['0003', '0804'].some((id, at) =>
    header.includes(`${id}${hex(part.reference, 2 + 2 * at)}${end}`),
  )
}

/** Gammu prints half a character as something else. */
function normalizeText(text: string): string {
  return text.replace(/[\p{Cs}\ufffd?]/gu, '')
}
