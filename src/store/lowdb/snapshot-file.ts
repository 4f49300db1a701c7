import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../../util/files.js'
import type { Collections, Kind } from './collections.js'
import { encodeLine, formatVersion, type Header } from './line.js'

const chunkSize = 1 << 20

/** Writes the collections to a new file that is whole or not there: temporary file, fsync, rename, fsync of the directory. */
export async function writeSnapshot(path: string, data: Collections): Promise<void> {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    await writeRecords(file, data)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}

async function writeRecords(file: FileHandle, data: Collections): Promise<void> {
  let chunk = encodeLine({ smsrelay: 'snapshot', format: formatVersion } satisfies Header)
  for (const kind of Object.keys(data) as Kind[]) {
    for (const [key, value] of data[kind] as Map<string, unknown>) {
      chunk += encodeLine([[kind, key, value]])
      if (chunk.length < chunkSize) continue
      await file.write(chunk)
      chunk = ''
    }
  }
  await file.write(chunk)
}
