import { RelayError } from '../../errors.js';
/** Results that are forgotten in one transaction; they are in order of time. */
const forgetAtMost = 10_000;
/** Messages on the {@link Engine}. */
export class LowdbMessages {
    #engine;
    #now;
    constructor(engine, now) {
        this.#engine = engine;
        this.#now = now;
    }
    async get(id) {
        return await this.#engine.read(() => this.#engine.data.message.get(id));
    }
    async list(query) {
        const { message } = this.#engine.data;
        return await this.#engine.read(() => this.#engine.indexes.messages
            .ranked(query.account)
            .page(query.statuses, query.start, query.count, query.order)
            .map(id => message.get(id))
            .filter(found => found !== undefined));
    }
    async change(id, decide, options = {}) {
        return await this.#engine.transact(transaction => {
            const repeated = options.once && findRepeated(transaction, options.once, this.#now());
            if (repeated !== undefined)
                return repeated;
            const current = transaction.get('message', id);
            const account = options.account ?? current?.account ?? '';
            const facts = transaction.facts(account, options.number ?? current?.number ?? '');
            const change = decide(current, facts);
            const message = transaction.apply(id, account, change, this.#now());
            if (options.once && message)
                keep(transaction, options.once, message);
            return message;
        });
    }
    async claim(account, holder, now, decide) {
        return await this.#engine.transact(transaction => {
            const offer = (id) => {
                const message = transaction.get('message', id);
                const claimed = decide(message, transaction.facts(account, message.number));
                transaction.apply(id, account, claimed, now);
                return claimed;
            };
            return this.#claimHeld(account, holder, now, offer) ?? this.#claimDue(account, now, offer);
        });
    }
    nextAvailable(account) {
        return this.#engine.indexes.messages.first(account)?.at;
    }
    async forgetOnce(now) {
        await this.#engine.transact(transaction => {
            const gone = [];
            for (const [key, kept] of transaction.pairs('once')) {
                if (kept.until > now || gone.length === forgetAtMost)
                    break;
                gone.push(key);
            }
            for (const key of gone)
                transaction.put('once', key, null);
        });
    }
    lapsed(now) {
        const { indexes, data } = this.#engine;
        return [...indexes.messages.leased()]
            .map(id => data.message.get(id))
            .filter(message => message?.lease !== undefined && message.lease.until <= now)
            .filter(message => message !== undefined);
    }
    #claimHeld(account, holder, now, offer) {
        const { indexes, data } = this.#engine;
        const held = data.message.get(indexes.messages.heldBy(holder) ?? '');
        if (held?.account !== account || (held.lease?.until ?? 0) <= now)
            return undefined;
        return offer(held.id).given ? data.message.get(held.id) : undefined;
    }
    #claimDue(account, now, offer) {
        const { indexes, data } = this.#engine;
        for (;;) {
            const first = indexes.messages.first(account);
            if (first === undefined || first.at > now)
                return undefined;
            const claimed = offer(first.id);
            if (claimed.given)
                return data.message.get(first.id);
            if (claimed.message === undefined)
                return undefined;
        }
    }
}
function findRepeated(transaction, once, now) {
    const kept = transaction.get('once', onceKey(once));
    if (kept === undefined || kept.until <= now)
        return undefined;
    if (kept.digest === once.digest)
        return kept.message;
    throw new RelayError('invalid_request', 'This `Idempotency-Key` was used for another request; use a new one for each message.');
}
function keep(transaction, once, message) {
    const { digest, until } = once;
    transaction.put('once', onceKey(once), { digest, until, message });
}
function onceKey(once) {
    return `${once.account} ${once.key}`;
}
