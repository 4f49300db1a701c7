import { type OwnedLogOptions, openOwnedLog } from '../../util/files/owned-log.js'
import type { ReceivedStore } from './received-inbox.js'
import { ReceivedRecords } from './received-records.js'

/** Opens the log of received texts that the relay does not have yet. Throws as the log does. */
export async function openReceivedLog(
  path: string,
  options: Pick<OwnedLogOptions, 'owner' | 'warn' | 'compactAfter'>,
): Promise<ReceivedStore & AsyncDisposable> {
  const log = { ...options, path, kind: 'received', content: 'texts' }
  return await openOwnedLog(() => new ReceivedRecords(), log)
}
