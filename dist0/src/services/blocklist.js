import { block } from '../domain/claim.js';
import { canonicalNumber } from '../domain/phone-number.js';
import { RelayError } from '../errors.js';
/** The Do Not Text lists: of the whole service and of each account. */
export class BlocklistService {
    #context;
    constructor(context) {
        this.#context = context;
    }
    /** The listed numbers. */
    async list({ scope }) {
        return await this.#context.store.blocklist.list(scope);
    }
    /** Lists a number and blocks what is waiting for it. Throws `invalid_parameter`. */
    async add({ scope, country }, number) {
        const at = this.#context.now();
        const entry = { scope, number: canonical(number, country), at };
        return await this.#context.store.blocklist.add(entry, message => block(message, at));
    }
    /** Takes a number off the list; messages that were blocked stay so. Throws `invalid_parameter`, `not_found`. */
    async remove({ scope, country }, number) {
        const key = canonical(number, country);
        const removed = await this.#context.store.blocklist.remove(scope, key);
        if (removed !== undefined)
            return removed;
        throw new RelayError('not_found', `${key} is not on the Do Not Text list.`);
    }
}
function canonical(number, country) {
    const found = canonicalNumber(number, country);
    if (found !== undefined)
        return found;
    throw new RelayError('invalid_parameter', '`number` is not a number that can be dialled; give it in international form, such as +12025550123.');
}
