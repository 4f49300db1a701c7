import { RelayError } from '../errors.js';
import { AppendFile } from '../util/append-file.js';
import { replaceFile } from '../util/replace-file.js';
import { encodeJournal, encodeNote } from './journal-format.js';
import { sentence } from './relay-errors.js';
/**
 * Appends notes to a file, all that wait in one write and one sync, and writes the file anew when it has grown. A
 * note that could not be written goes before the next ones, unless its author was told.
 */
export class JournalLog {
    #options;
    #file;
    #length;
    #base = 0;
    #waiting = [];
    #owed = [];
    #running;
    #failing = false;
    #closed = false;
    /** @param length bytes of the file that are whole and on the disk */
    constructor(options, length) {
        this.#options = options;
        this.#length = length;
    }
    async must(note) {
        await this.#add(note, true, true);
    }
    async note(note, durable) {
        await this.#add(note, durable, false);
    }
    /** Waits for what is being written and closes the file. */
    async close() {
        await this.#running;
        this.#closed = true;
        await this.#close();
    }
    #add(note, durable, must) {
        return new Promise((resolve, reject) => {
            const done = (error) => (error !== undefined && must ? reject(error) : resolve());
            this.#waiting.push({ note, durable, must, done });
            this.#running ??= this.#run();
        });
    }
    async #run() {
        while (this.#waiting.length > 0) {
            const batch = this.#waiting.splice(0);
            await this.#write(batch);
            const grown = (this.#length ?? 0) - this.#base;
            if (grown > Math.max(this.#options.compactAfter, this.#base))
                await this.#compact();
        }
        // At once, not when the promise is settled: a note that comes between would wait for ever.
        this.#running = undefined;
    }
    async #write(batch) {
        const notes = [...this.#owed, ...batch.map(entry => entry.note)];
        const durable = this.#owed.length > 0 || batch.some(entry => entry.durable);
        try {
            const file = await this.#opened();
            await file.append(notes.map(note => encodeNote(note, file.synced)).join(''), durable);
            this.#length = file.length;
            this.#owed = [];
            this.#failing = false;
            for (const entry of batch)
                entry.done();
        }
        catch (error) {
            this.#owed.push(...batch.filter(entry => !entry.must).map(entry => entry.note));
            const trouble = this.#failed(error);
            for (const entry of batch)
                entry.done(trouble);
        }
    }
    async #opened() {
        if (this.#closed)
            throw new Error('the journal was closed');
        this.#file ??= await AppendFile.open(this.#options.path, this.#length);
        return this.#file;
    }
    /** Writes the file anew; the book may be ahead of the notes, and a note that is applied twice does no harm. */
    async #compact() {
        const { path, owner, book } = this.#options;
        const content = encodeJournal(owner, book);
        try {
            await this.#close();
            // Whichever file then has the name is whole.
            this.#length = undefined;
            await replaceFile(path, content);
            this.#length = (await this.#opened()).length;
        }
        catch (error) {
            this.#failed(error);
        }
        this.#base = this.#length ?? 0;
    }
    async #close() {
        const file = this.#file;
        this.#file = undefined;
        await file?.close();
    }
    #failed(cause) {
        const trouble = cannotWrite(this.#options.path, cause);
        if (!this.#failing)
            this.#options.warn(trouble.message);
        this.#failing = true;
        return trouble;
    }
}
/** The error of a file of the journal that cannot be written. */
export function cannotWrite(path, cause) {
    return new RelayError('unavailable', `${path} cannot be written (${reason(cause)}).`, { cause });
}
/** Why something could not be done with a file, in a word where there is one. */
export function reason(error) {
    return error.code ?? sentence(error);
}
