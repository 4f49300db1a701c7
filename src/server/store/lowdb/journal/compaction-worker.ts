import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { isRelayError } from '../../../../errors.js'
import { type CompactionJob, compactJournals } from './compact-journals.js'
import type { CompactionResult } from './compaction.js'

/** The compaction's thread priority: threads that serve requests come first. */
const niceness = 10

// Only on Linux this is the priority of the compaction thread; elsewhere it is that of the process.
if (process.platform === 'linux') setPriority(niceness)
parentPort?.postMessage(await compact(workerData as CompactionJob))

/** An error of the compaction loses its class between threads. */
async function compact(job: CompactionJob): Promise<CompactionResult> {
  try {
    return { snapshot: await compactJournals(job) }
  } catch (error) {
    if (!isRelayError(error, 'damaged_data')) throw error
    return { damage: { message: error.message, hint: error.hint } }
  }
}
