/** Subscriptions on the {@link Engine}. */
export class LowdbSubscriptions {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    async get(id) {
        return await this.#engine.read(() => this.#engine.data.subscription.get(id));
    }
    async list(account) {
        const all = await this.#engine.read(() => [...this.#engine.data.subscription.values()]);
        const chosen = account === undefined ? all : all.filter(each => each.account === account);
        return chosen.sort((a, b) => a.createdAt - b.createdAt);
    }
    async create(draft) {
        return await this.#engine.transact(transaction => {
            const subscription = { ...draft, cursor: this.#engine.indexes.events.last };
            transaction.put('subscription', subscription.id, subscription);
            transaction.notify(subscription.account);
            return subscription;
        });
    }
    async change(id, decide) {
        return await this.#engine.transact(transaction => {
            const current = transaction.get('subscription', id);
            if (current === undefined)
                return undefined;
            const changed = decide(current);
            if (changed !== current)
                transaction.put('subscription', id, changed);
            return changed;
        });
    }
    async remove(id) {
        return await this.#engine.transact(transaction => {
            const gone = transaction.get('subscription', id);
            if (gone === undefined)
                return false;
            transaction.put('subscription', id, null);
            transaction.notify(gone.account);
            return true;
        });
    }
}
/** Recorded events on the {@link Engine}. */
export class LowdbEvents {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    async after(account, event, seq, count) {
        const { events } = this.#engine.indexes;
        return await this.#engine.read(() => events.after(account, event, seq, count));
    }
}
