import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../../../../util/files/atomic-write.js'
import { makeDirectory } from '../../../../util/files/make-directory.js'
import { getDataFileName } from '../files/data-files.js'
import { type Manifest, writeManifest } from '../files/manifest.js'
import { writeSnapshot } from '../files/snapshot-file.js'
import type { Inspection } from './inspect-data.js'

/**
 * Writes the records of a directory of format 1 in the present format. The manifest comes last and
 * makes it take effect; until then the next start repeats the upgrade. The old files stay.
 */
export async function upgradeFormat({ files, data }: Inspection): Promise<Manifest> {
  const { directory, nextNumber } = files
  const path = join(directory, getDataFileName('snapshot', nextNumber))
  const manifest: Manifest = { snapshot: await writeSnapshot(path, 0, data), journals: [] }
  await writeManifest(directory, manifest)
  return manifest
}

/**
 * Moves the files of format 1 to a directory within the data directory, from which the earlier
 * program can start. Resolves to its path.
 */
export async function moveFormat1Files(
  directory: string,
  names: readonly string[],
): Promise<string> {
  const isFree = (candidate: string) => names.every(name => !existsSync(join(candidate, name)))
  let backup = join(directory, 'format-1')
  for (let number = 2; !isFree(backup); number += 1) backup = join(directory, `format-1-${number}`)
  await makeDirectory(backup)
  for (const name of names) await rename(join(directory, name), join(backup, name))
  await syncDirectory(backup)
  await syncDirectory(directory)
  return backup
}
