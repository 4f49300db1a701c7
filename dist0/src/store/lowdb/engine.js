import { setImmediate } from 'node:timers/promises';
import { Low } from 'lowdb';
import { isRelayError, RelayError } from '../../errors.js';
import { emptyCollections } from './collections.js';
import { Indexes } from './indexes.js';
import { JournalAdapter } from './journal-adapter.js';
import { Transaction } from './transaction.js';
/**
 * Runs transactions one after the other in memory, makes those of one turn of the event loop durable with
 * one write, and undoes them all when that write fails, because memory must never be ahead of a refusal.
 */
export class Engine {
    #db;
    #adapter;
    indexes;
    #listeners = new Set();
    #pending = [];
    #settled;
    #loop;
    #closed = false;
    constructor(db, adapter) {
        this.#db = db;
        this.#adapter = adapter;
        this.indexes = new Indexes(db.data);
    }
    /** Opens a data directory. Throws `damaged_data`, `configuration`. */
    static async open(directory, options = {}) {
        const adapter = new JournalAdapter(directory, options);
        const db = new Low(adapter, emptyCollections());
        await db.read();
        return new Engine(db, adapter);
    }
    /** The records. They may be ahead of the disk: what leaves the store goes through {@link read}. */
    get data() {
        return this.#db.data;
    }
    /**
     * Runs `body`; resolves to its result when everything it changed or saw is durable. Throws what it throws,
     * when what it saw is durable, and `unavailable`.
     */
    async transact(body) {
        if (this.#closed)
            throw new RelayError('unavailable', 'The service is stopping.');
        const transaction = new Transaction(this.data, this.indexes);
        let result;
        try {
            result = body(transaction);
        }
        catch (error) {
            transaction.undo();
            await this.#settled;
            throw error;
        }
        if (transaction.entries.length > 0)
            this.#enqueue(transaction);
        await this.#settled;
        return result;
    }
    /** Resolves to what `body` sees when all of that is durable. */
    async read(body) {
        for (;;) {
            const result = body();
            if (this.#settled === undefined)
                return result;
            try {
                await this.#settled;
                return result;
            }
            catch (error) {
                if (!isRelayError(error, 'unavailable'))
                    throw error;
            }
        }
    }
    /** Calls `listener` after each durable change; the returned function ends that. */
    watch(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
    /** Makes everything durable and closes the files. */
    async close() {
        this.#closed = true;
        await this.#loop;
        await this.#adapter.close();
    }
    #enqueue(transaction) {
        const settled = new Promise((resolve, reject) => {
            this.#pending.push({ transaction, resolve, reject });
        });
        settled.catch(() => { });
        this.#settled = settled;
        this.#loop ??= this.#run();
    }
    async #run() {
        await setImmediate();
        while (this.#pending.length > 0) {
            const group = this.#pending;
            this.#pending = [];
            await this.#commit(group);
        }
        this.#loop = undefined;
    }
    async #commit(group) {
        for (const { transaction } of group)
            this.#adapter.stage(transaction.entries);
        try {
            await this.#db.write();
        }
        catch (cause) {
            this.#refuse([...group, ...this.#pending.splice(0)], cause);
            return;
        }
        if (this.#pending.length === 0)
            this.#settled = undefined;
        for (const { resolve } of group)
            resolve();
        for (const { transaction } of group)
            this.#tell(transaction.notices);
    }
    #refuse(group, cause) {
        for (const { transaction } of group.toReversed())
            transaction.undo();
        this.#settled = undefined;
        const why = cause instanceof Error ? cause.message : String(cause);
        for (const { reject } of group) {
            reject(new RelayError('unavailable', `The change could not be stored: ${why}`, { cause }));
        }
    }
    /** What a listener throws must not stop the commits: it is thrown where nobody waits. */
    #tell(notices) {
        for (const notice of notices) {
            for (const listener of this.#listeners) {
                try {
                    listener(notice);
                }
                catch (error) {
                    queueMicrotask(() => {
                        throw error;
                    });
                }
            }
        }
    }
}
