import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeUcs2, parsePartHeader } from '../../../domain/sms/sms-parts.js'
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
      return {
        from: decodeUcs2(Buffer.from(from, 'hex')),
        text: decodeUcs2(Buffer.from(texts, 'hex')),
        header,
      }
    })
}

/** Whether a header in hexadecimal, with its length octet, is that of the part. */
function isSamePart(header: string, part: StoredText['part']): boolean {
  if (part === undefined) return header === ''
  const found = parsePartHeader(Buffer.from(header, 'hex').subarray(1))
  return (
    found?.reference === part.reference &&
    found.count === part.count &&
    found.number === part.number
  )
}

/** Gammu prints half a character as something else. */
function normalizeText(text: string): string {
  return text.replace(/[\p{Cs}\ufffd?]/gu, '')
}
