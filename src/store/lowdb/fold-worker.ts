import { workerData } from 'node:worker_threads'
import { type FoldJob, fold } from './fold.js'

await fold(workerData as FoldJob)
