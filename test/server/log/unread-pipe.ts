import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'

/** A pipe whose reader is this test; the log closes the other end. */
export async function openPipe(): Promise<{ reader: number; stream: Writable & { fd: number } }> {
  const path = join(await temporaryFolder(), 'pipe')
  await promisify(execFile)('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return { reader, stream: Object.assign(new Writable(), { fd }) }
}

/** Reads what is in a pipe now. */
export function readPipe(fd: number): string {
  const bytes = Buffer.alloc(1024 * 1024)
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes))
  } catch {
    return ''
  }
}
