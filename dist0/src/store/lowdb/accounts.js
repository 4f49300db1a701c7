import { RelayError } from '../../errors.js';
import { emailKey } from './indexes.js';
/** Accounts on the {@link Engine}. */
export class LowdbAccounts {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    async get(id) {
        return this.#engine.data.account.get(id);
    }
    async byEmail(email) {
        return await this.get(this.#engine.indexes.byEmail.get(emailKey(email)) ?? '');
    }
    async bySecretKey(key) {
        return await this.get(this.#engine.indexes.bySecretKey.get(key) ?? '');
    }
    async list() {
        return await this.#engine.read(() => [...this.#engine.data.account.values()]);
    }
    async create(account) {
        await this.#engine.transact(transaction => {
            if (this.#engine.indexes.byEmail.has(emailKey(account.email))) {
                throw new RelayError('invalid_parameter', `\`email\` ${account.email} has an account already.`);
            }
            transaction.put('account', account.id, account);
        });
    }
    async change(id, decide) {
        return await this.#engine.transact(transaction => {
            const account = transaction.get('account', id);
            if (account === undefined)
                return undefined;
            transaction.put('account', id, decide(account));
            return transaction.get('account', id);
        });
    }
    async remove(id) {
        await this.#engine.transact(transaction => {
            transaction.put('meta', 'events', { seq: this.#engine.indexes.events.last });
            for (const kind of ['message', 'event', 'subscription', 'token']) {
                removeOwned(transaction, kind, id);
            }
            for (const kind of ['block', 'once'])
                removeKeyed(transaction, kind, `${id} `);
            transaction.put('account', id, null);
            transaction.notify(id);
        });
    }
}
/** Tokens on the {@link Engine}. */
export class LowdbTokens {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    async get(id) {
        return this.#engine.data.token.get(id);
    }
    async put(token) {
        await this.#engine.transact(transaction => transaction.put('token', token.id, token));
    }
    async extend(id, expiresAt) {
        await this.#engine.transact(transaction => {
            const token = transaction.get('token', id);
            if (token !== undefined)
                transaction.put('token', id, { ...token, expiresAt });
        });
    }
    async remove(id) {
        await this.#engine.transact(transaction => transaction.put('token', id, null));
    }
    async removeOf(account, kinds) {
        await this.#removeWhere(token => token.account === account && kinds.includes(token.kind));
    }
    async removeExpired(now) {
        await this.#removeWhere(token => token.expiresAt < now);
    }
    async #removeWhere(isGone) {
        await this.#engine.transact(transaction => {
            const gone = [...transaction.values('token')].filter(isGone);
            for (const token of gone)
                transaction.put('token', token.id, null);
        });
    }
}
function removeOwned(transaction, kind, account) {
    const keys = [...transaction.pairs(kind)].filter(([, record]) => record.account === account);
    for (const [key] of keys)
        transaction.put(kind, key, null);
}
function removeKeyed(transaction, kind, prefix) {
    const keys = [...transaction.pairs(kind)].filter(([key]) => key.startsWith(prefix));
    for (const [key] of keys)
        transaction.put(kind, key, null);
}
