/** Changes that become durable together; each is seen by later transactions at once, and can be undone. */
export class Transaction {
    #data;
    #indexes;
    #entries = [];
    #undo = [];
    #notices = new Map();
    constructor(data, indexes) {
        this.#data = data;
        this.#indexes = indexes;
    }
    /** What changed, in order. */
    get entries() {
        return this.#entries;
    }
    /** Whom it concerns. */
    get notices() {
        return [...this.#notices].map(([account, facts]) => ({ account, ...facts }));
    }
    /** A record as it is now. */
    get(kind, key) {
        return this.#data[kind].get(key);
    }
    /** Every record of a kind. */
    values(kind) {
        return this.#data[kind].values();
    }
    /** Keys and records of a kind. */
    pairs(kind) {
        return this.#data[kind].entries();
    }
    /** Replaces a record, or removes it with `null`. */
    put(kind, key, value) {
        const before = this.#data[kind].get(key);
        if (before === undefined && value === null)
            return;
        this.#apply(kind, key, before, value ?? undefined);
        this.#undo.push(() => this.#apply(kind, key, value ?? undefined, before));
        this.#entries.push([kind, key, value]);
    }
    /** Applies a decision on a message: its new form and the events it causes. */
    apply(id, account, change, now) {
        if (change.message !== undefined) {
            this.put('message', id, change.message);
            this.notify(account).messages.push(id);
        }
        for (const event of change.events ?? [])
            this.#record(account, event, id, now);
        return this.get('message', id);
    }
    /** Tells that something of an account changed; returns the notice to add facts to. */
    notify(account) {
        const notice = this.#notices.get(account) ?? { messages: [], events: [] };
        this.#notices.set(account, notice);
        return notice;
    }
    /** What a decision may know of a number. */
    facts(account, number) {
        const blocks = this.#data.block;
        return { blocked: blocks.has(`${account} ${number}`) || blocks.has(`* ${number}`) };
    }
    /** Makes everything as it was before. */
    undo() {
        for (const step of this.#undo.splice(0).reverse())
            step();
    }
    #record(account, event, message, at) {
        const seq = this.#indexes.events.last + 1;
        this.put('event', String(seq), { seq, account, event, message, at });
        this.notify(account).events.push(event);
    }
    #apply(kind, key, before, after) {
        const map = this.#data[kind];
        if (after === undefined)
            map.delete(key);
        else
            map.set(key, after);
        this.#indexes.changed(kind, before, after);
    }
}
