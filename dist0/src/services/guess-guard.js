import { isRelayError, RelayError } from '../errors.js';
import { digest } from '../util/secrets.js';
import { FailureLog } from './failure-log.js';
/** Settings unless told. */
export const guardSettings = {
    address: { free: 10, first: 1000, most: 15 * 60_000 },
    name: { free: 10, first: 1000, most: 60_000 },
    memory: 60 * 60_000,
    remembered: 10_000,
    keysAtOnce: 64,
    passwordsAtOnce: 4,
};
/**
 * Slows down whoever tries credentials, by where the tries come from and by the name they are for. A pause counts
 * from the address's own last failure, and an address without one is never held up: so others who guess at a name
 * cannot lock its owner out, and a mistake while they do costs its owner `name.most` at worst. A success does not
 * clear the address's count, or an account of one's own would be a licence to guess at others.
 */
export class GuessGuard {
    #now;
    #settings;
    #addresses;
    #names;
    #undecided = new Map();
    constructor(now, settings = {}) {
        this.#now = now;
        this.#settings = { ...guardSettings, ...settings };
        const { memory, remembered } = this.#settings;
        this.#addresses = new FailureLog(memory, remembered);
        this.#names = new FailureLog(memory, remembered);
    }
    /** How many addresses and names are remembered. */
    get size() {
        return this.#addresses.size + this.#names.size + this.#undecided.size;
    }
    /**
     * Signs in by `work`, which throws `invalid_client` for wrong credentials. Throws what it throws, and
     * `too_many_requests` without calling it.
     */
    async attempt({ address, name }, work) {
        const named = nameKey(name);
        const wait = this.#wait(address, named, name.includes('@'));
        if (wait > 0)
            throw tooMany(wait);
        this.#count(address, 1);
        try {
            const result = await work();
            this.#names.clear(named);
            return result;
        }
        catch (error) {
            if (isRelayError(error, 'invalid_client'))
                this.#failed(address, named);
            throw error;
        }
        finally {
            this.#count(address, -1);
        }
    }
    #wait(address, named, isPassword) {
        const { address: byAddress, name: byName, keysAtOnce, passwordsAtOnce } = this.#settings;
        const now = this.#now();
        const own = this.#addresses.get(address, now);
        const undecided = this.#undecided.get(address) ?? 0;
        const atOnce = isPassword ? passwordsAtOnce : keysAtOnce;
        if (own === undefined)
            return undecided < atOnce ? 0 : byAddress.first;
        const left = Math.min(atOnce, Math.max(1, byAddress.free - own.failures));
        const others = this.#names.get(named, now)?.failures ?? 0;
        const pause = Math.max(pauseAfter(own.failures, byAddress), pauseAfter(others, byName));
        const wait = Math.max(0, own.last + pause - now);
        return wait === 0 && undecided >= left ? byAddress.first : wait;
    }
    #failed(address, named) {
        this.#addresses.add(address, this.#now());
        this.#names.add(named, this.#now());
    }
    #count(address, change) {
        const count = (this.#undecided.get(address) ?? 0) + change;
        if (count === 0)
            this.#undecided.delete(address);
        else
            this.#undecided.set(address, count);
    }
}
/** Milliseconds from a failure to the next try, by the number of failures up to then. */
export function pauseAfter(failures, { free, first, most }) {
    return failures < free ? 0 : Math.min(most, first * 2 ** (failures - free));
}
/** Of a fixed length, however long a name somebody makes up. */
function nameKey(name) {
    return digest(name.includes('@') ? name.toLowerCase() : name);
}
function tooMany(wait) {
    const seconds = Math.ceil(wait / 1000);
    return new RelayError('too_many_requests', `Too many wrong credentials; try again in ${seconds} s.`, { retryAfter: seconds });
}
