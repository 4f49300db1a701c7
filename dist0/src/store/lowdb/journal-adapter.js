import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '../../errors.js';
import { emptyCollections } from './collections.js';
import { Compaction } from './compaction.js';
import { dataFile, filesToRead, findDataFiles } from './data-files.js';
import { applyEntries } from './inspect.js';
import { JournalFile, readLines } from './journal-file.js';
import { encodeLine } from './line.js';
/**
 * The adapter between lowdb and the data directory: an append-only journal of changed records, one line a
 * group of transactions, over a snapshot. Snapshot K holds what the journals below K said.
 */
export class JournalAdapter {
    #directory;
    #options;
    #compaction;
    #journal;
    #staged = [];
    constructor(directory, options = {}) {
        this.#directory = directory;
        this.#options = options;
        this.#compaction = new Compaction(directory, options);
    }
    /** Reads snapshot and journals, and opens the journal for writing. Throws `damaged_data`, `configuration`. */
    async read() {
        await mkdir(this.#directory, { recursive: true, mode: 0o700 });
        const files = await findDataFiles(this.#directory);
        const data = emptyCollections();
        let length = 0;
        for (const { path, last } of filesToRead(files)) {
            length = await this.#readFile(path, last, data);
        }
        for (const name of files.stale)
            await rm(join(this.#directory, name), { force: true });
        await this.#compaction.resume(files);
        this.#journal = await this.#compaction.afterAppend(await this.#openJournal(files, length));
        return data;
    }
    /** Adds a transaction to what the next {@link write} makes durable. */
    stage(entries) {
        this.#staged.push(...entries);
    }
    /**
     * Appends what is staged as one line and waits until it is on the disk; after an error nothing of it is.
     * One line for all, so that a write that was cut short can only have damaged the last line.
     */
    async write() {
        const staged = this.#staged;
        this.#staged = [];
        if (this.#journal === undefined)
            throw new RelayError('unavailable', 'The store is closed.');
        await this.#journal.append(encodeLine(staged));
        this.#journal = await this.#compaction.afterAppend(this.#journal);
    }
    /** Closes the journal; a compaction in hand is given up, and begun again after the next start. */
    async close() {
        await this.#compaction.stop();
        await this.#journal?.close();
        this.#journal = undefined;
    }
    async #readFile(path, last, data) {
        const reading = await readLines(path, last, value => applyEntries(data, value));
        if (reading.torn > 0) {
            this.#options.warn?.(`${path}: the last line was not written to its end when the service stopped; ` +
                `its ${reading.torn} bytes were cut off. No request it belonged to had been answered.`);
        }
        return reading.length;
    }
    /** Goes on with the last journal, or begins one; a journal without its first line is begun anew. */
    async #openJournal({ directory, snapshot, journals }, length) {
        const last = journals.at(-1);
        const path = dataFile(directory, 'journal', last ?? Math.max(snapshot, 1));
        if (last !== undefined && length > 0)
            return await JournalFile.resume(path, length);
        await rm(path, { force: true });
        return await JournalFile.create(path);
    }
}
