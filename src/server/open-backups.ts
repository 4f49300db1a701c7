import type { RelayConfig } from './config/relay-config.js'
import { backupDirectory } from './data-directory.js'
import type { BackupWriter } from './services/backup-service.js'

/** Creates what writes the backups of a relay, as `smsrelay data backup` does. */
export function createBackupWriter({ location }: Pick<RelayConfig, 'location'>): BackupWriter {
  const { dataDir = '', database } = location
  if (database === undefined) {
    return {
      extension: '',
      write: async (path, signal) =>
        await backupDirectory(dataDir, path, () => signal.throwIfAborted()),
    }
  }
  return {
    extension: '.ndjson',
    write: async (path, signal) => {
      // The modules of PostgreSQL take long to load.
      const { writeExport } = await import('./data-database.js')
      await writeExport(database, path, () => signal.throwIfAborted())
    },
  }
}
