import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { type CompactionJob, compactJournals } from './compact-journals.js'

/** Steps by which a fold gives way to the service when both want the processor. */
const niceness = 10

// On Linux this is the priority of this thread; elsewhere it would be that of the whole service.
if (process.platform === 'linux') setPriority(niceness)
await compactJournals(workerData as CompactionJob)
