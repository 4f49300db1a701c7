import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { type CompactionJob, compactJournals } from './compact-journals.js'

/** The compaction's thread priority: threads that serve requests come first. */
const niceness = 10

// Only on Linux this is the priority of the compaction thread; elsewhere it is that of the process.
if (process.platform === 'linux') setPriority(niceness)
await compactJournals(workerData as CompactionJob)
