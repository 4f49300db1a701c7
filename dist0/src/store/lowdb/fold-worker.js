import { workerData } from 'node:worker_threads';
import { fold } from './fold.js';
await fold(workerData);
