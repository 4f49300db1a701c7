import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type FileJournal,
  type FileJournalOptions,
  openFileJournal,
} from '../../../src/phone/journal/file-journal.js'
import { temporaryFolder } from '../../temporary-folder.js'

export const credentials = { user: 'secret', password: 'app' }

/** Opens a journal that is closed at the end of the test, unless that was done before. */
export async function openJournal(
  directory: string,
  options: Partial<FileJournalOptions> = {},
): Promise<FileJournal & { warnings: string[] }> {
  const warnings: string[] = []
  const warn = (sentence: string) => void warnings.push(sentence)
  const journal = await openFileJournal(directory, { credentials, warn, ...options })
  let closed: Promise<void> | undefined
  const close = async () => {
    closed ??= (async () => await journal[Symbol.asyncDispose]())()
    await closed
  }
  onTestFinished(close)
  return { ...journal, warnings, [Symbol.asyncDispose]: close }
}

/** Copies the files of a journal as a crash would leave them now. */
export async function copyAfterCrash(directory: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy')
  await mkdir(copy)
  for (const name of await readdir(directory)) {
    const isFile = name === 'journal' || name === 'received' || name === 'token'
    if (isFile) await copyFile(join(directory, name), join(copy, name))
  }
  return copy
}

/** The lines of a journal file, without the preallocation behind them. */
export async function readJournal(directory: string): Promise<Buffer> {
  const bytes = await readFile(join(directory, 'journal'))
  return bytes.subarray(0, bytes.findLastIndex(byte => byte !== 0x0a) + 2)
}
