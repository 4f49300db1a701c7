import { availableAt, isWaiting } from '../domain/message.js';
import { testOutcome } from '../domain/phone-number.js';
import { reportFailure, reportSuccess } from '../domain/report.js';
import { segments } from '../domain/segments.js';
const pageSize = 100;
const longestTimer = 60 * 60 * 1000;
const pauseAfterError = 1000;
const holder = 'sandbox';
/** Settles messages to test numbers when they are due, so that no phone has to run (SPEC.md section 1). */
export class Sandbox {
    #context;
    #timers = new Map();
    #unwatch = () => { };
    #stopped = false;
    constructor(context) {
        this.#context = context;
    }
    /** Begins, with the messages that wait already. */
    async start() {
        this.#unwatch = this.#context.store.watch(notice => this.#follow(notice));
        for (const account of await this.#context.store.accounts.list())
            await this.#scan(account.id);
    }
    /** Leaves everything as it is. */
    stop() {
        this.#stopped = true;
        this.#unwatch();
        for (const timer of this.#timers.values())
            clearTimeout(timer);
        this.#timers.clear();
    }
    async #scan(account) {
        const page = { account, statuses: ['N', 'E'], count: pageSize, order: 'asc' };
        const waiting = [];
        // Settled only when all are read: a message that leaves the list would move the pages behind it.
        for (let start = 0; start === waiting.length; start += pageSize) {
            waiting.push(...(await this.#context.store.messages.list({ ...page, start })));
        }
        for (const message of waiting)
            this.#schedule(message);
    }
    #follow(notice) {
        for (const id of notice.messages) {
            this.#context.store.messages.get(id).then(message => message && this.#schedule(message), () => { });
        }
    }
    #schedule(message, least = 0) {
        if (this.#stopped)
            return;
        clearTimeout(this.#timers.get(message.id));
        this.#timers.delete(message.id);
        const outcome = testOutcome(message.number);
        if (outcome === undefined || !isWaiting(message))
            return;
        const wait = Math.max(least, availableAt(message) - this.#context.now());
        const step = () => {
            this.#settle(message.id, outcome).catch(() => this.#schedule(message, pauseAfterError));
        };
        this.#timers.set(message.id, setTimeout(step, Math.min(wait, longestTimer)));
    }
    async #settle(id, outcome) {
        const now = this.#context.now();
        const by = { holder, now };
        const settled = await this.#context.store.messages.change(id, message => {
            if (message === undefined || !isWaiting(message) || availableAt(message) > now)
                return {};
            if (outcome === 'success')
                return reportSuccess(message, segments(message.text), by);
            const failure = { error: 'This test number always fails.', outcome: 'failed' };
            return reportFailure(message, failure, by, 'at-least-once');
        });
        if (settled !== undefined)
            this.#schedule(settled);
    }
}
