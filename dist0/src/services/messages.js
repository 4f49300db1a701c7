import { create, edit, lock, remove, undelete, unlock } from '../domain/edit.js';
import { messageFilters } from '../domain/filter.js';
import { canonicalNumber } from '../domain/phone-number.js';
import { RelayError } from '../errors.js';
import { memo } from '../util/memo.js';
import { digest } from '../util/secrets.js';
const onceFor = 24 * 60 * 60 * 1000;
const rememberedNumbers = 10_000;
/** What users do with messages: accept, list, read, edit, remove, lock (SPEC.md section 4.2). */
export class MessageService {
    #context;
    /** Most texts go to few numbers, and reading a number takes longer than all else of accepting a text. */
    #canonical = memo(rememberedNumbers, key => canonicalNumber(key.slice(2), key.slice(0, 2)));
    constructor(context) {
        this.#context = context;
    }
    /**
     * Accepts a message; with an idempotency key the same request again gives the first result for 24 hours.
     * Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for a key used otherwise.
     */
    async accept(account, draft, source, key) {
        const now = this.#context.now();
        const message = this.#compose(account, draft, source, now);
        const decide = (_, facts) => create(message, facts);
        const about = { account: account.id, number: message.number };
        const once = key === undefined ? {} : { once: onceOf(account, draft, key, now) };
        const accepted = await this.#context.store.messages.change(message.id, decide, {
            ...about,
            ...once,
        });
        return accepted ?? message;
    }
    /** A page of the account's messages. */
    async list(account, { filter, start, count, order }) {
        const statuses = messageFilters[filter];
        return await this.#context.store.messages.list({
            account: account.id,
            statuses,
            start,
            count,
            order,
        });
    }
    /** One message. Throws `not_a_message`. */
    async get(account, id) {
        return assertOwned(await this.#context.store.messages.get(id), account, id);
    }
    /** Changes a new or error message. Throws `not_a_message`, `invalid_state`, `invalid_parameter`. */
    async edit(account, id, draft) {
        const changes = {
            ...(draft.destination === undefined ? {} : this.#dial(draft.destination, account)),
            ...(draft.text === undefined ? {} : { text: draft.text }),
            ...(draft.sendAt === undefined ? {} : { sendAt: draft.sendAt }),
        };
        const decide = (message, now, facts) => edit(message, changes, now, facts);
        return await this.#change(account, id, decide, changes.number);
    }
    /** Deletes a message (SPEC.md section 3). Throws `not_a_message`. */
    async remove(account, id) {
        await this.#change(account, id, remove);
    }
    /** Holds a waiting message back. Throws `not_a_message`, `invalid_state`. */
    async lock(account, id) {
        return await this.#change(account, id, lock);
    }
    /** Lets a locked message go on. Throws `not_a_message`, `invalid_state`. */
    async unlock(account, id) {
        return await this.#change(account, id, unlock);
    }
    /** Brings a deleted message back. Throws `not_a_message`, `invalid_state`. */
    async undelete(account, id) {
        return await this.#context.store.messages.change(id, (message, facts) => {
            if (message?.account !== account.id)
                throw notAMessage(id);
            return undelete(message, this.#context.now(), facts);
        });
    }
    async #change(account, id, decide, number) {
        const options = number === undefined ? {} : { number };
        return await this.#context.store.messages.change(id, (message, facts) => decide(assertOwned(message, account, id), this.#context.now(), facts), options);
    }
    #dial(destination, { country }) {
        const number = this.#canonical(`${country}${destination}`);
        if (number !== undefined)
            return { destination, number };
        throw new RelayError('invalid_parameter', '`destination` is not a number that can be dialled; give it in international form, such as +12025550123.');
    }
    #compose(account, draft, source, now) {
        return {
            id: this.#context.newId(),
            account: account.id,
            ...this.#dial(draft.destination, account),
            text: draft.text,
            source,
            status: 'N',
            createdAt: now,
            sendAt: draft.sendAt ?? now,
            statusAt: now,
            failures: 0,
        };
    }
}
/** The message, when it exists, is not deleted and belongs to the account. Throws `not_a_message`. */
export function assertOwned(message, account, id) {
    if (message?.account !== account.id || message.status === 'D')
        throw notAMessage(id);
    return message;
}
/** The error for a message that does not exist as far as the caller may know. */
export function notAMessage(id) {
    return new RelayError('not_a_message', `There is no message ${id}; list the messages to see their ids.`);
}
function onceOf(account, draft, key, now) {
    const same = digest(JSON.stringify([draft.destination, draft.text, draft.sendAt ?? null]));
    return { account: account.id, key, digest: same, until: now + onceFor };
}
