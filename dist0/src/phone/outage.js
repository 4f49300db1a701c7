import { backoff } from '../util/backoff.js';
const limits = { first: 1000, most: 30_000 };
/** Counts the failures in a row of something that may be away for a while, and waits ever longer between them. */
export class Outage {
    #options;
    #failures = 0;
    constructor(options) {
        this.#options = options;
    }
    /** Notes a failure; true for the first of an outage. */
    begin() {
        this.#failures += 1;
        return this.#failures === 1;
    }
    /** Waits before the next try, `least` milliseconds or more. */
    async wait(signal, least = 0) {
        const { pause, random } = this.#options;
        await pause(Math.max(backoff(this.#failures, random(), limits), least), signal);
    }
    /** Notes that it works; true when that ends an outage. */
    end() {
        const ended = this.#failures > 0;
        this.#failures = 0;
        return ended;
    }
}
