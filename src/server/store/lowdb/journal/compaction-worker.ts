import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { type CompactionJob, compactJournals } from './compact-journals.js'

/** Gives the threads that serve requests precedence over this one. */
const niceness = 10

// Only on Linux this is the priority of one thread; elsewhere it is that of the process.
if (process.platform === 'linux') setPriority(niceness)
await compactJournals(workerData as CompactionJob)
