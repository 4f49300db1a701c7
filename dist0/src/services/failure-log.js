/** Counts failures by key, for a while and for a bounded number of keys. */
export class FailureLog {
    #memory;
    #most;
    /** In the order of the last failures. */
    #entries = new Map();
    /**
     * @param memory milliseconds after which a key without a failure is forgotten
     * @param most keys that are kept; the one that failed longest ago goes first
     */
    constructor(memory, most) {
        this.#memory = memory;
        this.#most = most;
    }
    /** Keys that are kept. */
    get size() {
        return this.#entries.size;
    }
    /** The failures of a key; undefined when there are none. */
    get(key, now) {
        const entry = this.#entries.get(key);
        if (entry === undefined)
            return undefined;
        if (now - entry.last >= this.#memory) {
            this.#entries.delete(key);
            return undefined;
        }
        // A clock that was set back must not make a pause longer than it is.
        if (now >= entry.last)
            return entry;
        const moved = { ...entry, last: now };
        this.#entries.set(key, moved);
        return moved;
    }
    /** Counts a failure. */
    add(key, now) {
        const failures = (this.get(key, now)?.failures ?? 0) + 1;
        this.#entries.delete(key);
        this.#entries.set(key, { failures, last: now });
        const oldest = this.#entries.keys().next();
        if (this.#entries.size > this.#most && oldest.done !== true)
            this.#entries.delete(oldest.value);
    }
    /** Forgets a key. */
    clear(key) {
        this.#entries.delete(key);
    }
}
