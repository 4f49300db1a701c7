import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { dataFile, findDataFiles } from './data-files.js';
import { JournalFile } from './journal-file.js';
const defaultFoldAbove = 16 << 20;
/**
 * Keeps the journals short: when they have grown, a new one is begun, and the ones before it are folded into
 * a new snapshot while the service goes on.
 */
export class Compaction {
    #directory;
    #foldAbove;
    #runFold;
    #warn;
    #stopping = new AbortController();
    #running;
    /** Bytes in the journals before the one in use. */
    #older = 0;
    #snapshotSize = 0;
    #number = 1;
    /** Length of the journal in use below which a compaction that failed is not tried again. */
    #notBelow = 0;
    constructor(directory, options) {
        this.#directory = directory;
        this.#foldAbove = options.foldAbove ?? defaultFoldAbove;
        this.#runFold = options.runFold ?? foldInWorker;
        this.#warn = options.warn ?? (() => { });
    }
    /** Takes up the files as they were found. */
    async resume({ directory, snapshot, journals }) {
        this.#number = journals.at(-1) ?? Math.max(snapshot, 1);
        if (snapshot > 0)
            this.#snapshotSize = await sizeOf(dataFile(directory, 'snapshot', snapshot));
        for (const number of journals.slice(0, -1)) {
            this.#older += await sizeOf(dataFile(directory, 'journal', number));
        }
    }
    /** The journal to go on with: a new one when a compaction begins. */
    async afterAppend(journal) {
        if (!this.#isDue(journal.length))
            return journal;
        try {
            const next = await JournalFile.create(dataFile(this.#directory, 'journal', this.#number + 1));
            await journal.close();
            this.#older += journal.length;
            this.#number += 1;
            this.#notBelow = 0;
            this.#running = this.#fold().finally(() => {
                this.#running = undefined;
            });
            return next;
        }
        catch (error) {
            this.#failed(error, journal.length);
            return journal;
        }
    }
    /** Gives up what is in hand. */
    async stop() {
        this.#stopping.abort();
        await this.#running;
    }
    #isDue(length) {
        if (this.#running !== undefined || length < this.#notBelow)
            return false;
        return this.#older + length > Math.max(this.#foldAbove, this.#snapshotSize / 2);
    }
    async #fold() {
        try {
            const files = await findDataFiles(this.#directory);
            const target = dataFile(this.#directory, 'snapshot', this.#number);
            await this.#runFold(jobOf(files, this.#number, target), this.#stopping.signal);
            this.#snapshotSize = await sizeOf(target);
            this.#older = 0;
            const { stale } = await findDataFiles(this.#directory);
            for (const name of stale)
                await rm(join(this.#directory, name), { force: true });
        }
        catch (error) {
            if (!this.#stopping.signal.aborted)
                this.#failed(error, 0);
        }
    }
    #failed(error, length) {
        this.#notBelow = length + Math.max(this.#foldAbove / 4, 1);
        const why = error instanceof Error ? error.message : String(error);
        this.#warn(`The journal in ${this.#directory} could not be folded and goes on growing: ${why}`);
    }
}
/** Folds in a worker thread, so that the service goes on meanwhile. */
export async function foldInWorker(job, signal) {
    const worker = new Worker(new URL('./fold-worker.js', import.meta.url), { workerData: job });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
        const [code] = await once(worker, 'exit');
        if (code !== 0)
            throw new Error(`The worker ended with ${code}.`);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}
function jobOf({ directory, snapshot, journals }, next, target) {
    return {
        snapshot: snapshot > 0 ? dataFile(directory, 'snapshot', snapshot) : undefined,
        journals: journals
            .filter(number => number < next)
            .map(number => dataFile(directory, 'journal', number)),
        target,
    };
}
async function sizeOf(path) {
    return (await stat(path)).size;
}
