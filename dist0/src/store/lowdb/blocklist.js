/** The Do Not Text lists on the {@link Engine}. */
export class LowdbBlocklist {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    async list(scope) {
        const all = await this.#engine.read(() => [...this.#engine.data.block.values()]);
        return all.filter(entry => entry.scope === scope);
    }
    async add(entry, decide) {
        return await this.#engine.transact(transaction => {
            const key = `${entry.scope} ${entry.number}`;
            const listed = transaction.get('block', key);
            if (listed !== undefined)
                return listed;
            transaction.put('block', key, entry);
            for (const message of this.#waiting(entry)) {
                transaction.apply(message.id, message.account, decide(message), entry.at);
            }
            return entry;
        });
    }
    async remove(scope, number) {
        return await this.#engine.transact(transaction => {
            const entry = transaction.get('block', `${scope} ${number}`);
            if (entry !== undefined)
                transaction.put('block', `${scope} ${number}`, null);
            return entry;
        });
    }
    #waiting(entry) {
        const { indexes, data } = this.#engine;
        const account = entry.scope === '*' ? undefined : entry.scope;
        return [...indexes.messages.waiting(account)]
            .map(id => data.message.get(id))
            .filter(message => message !== undefined)
            .filter(message => message.number === entry.number)
            .filter(message => (message.lease?.until ?? 0) <= entry.at);
    }
}
