import { claim, lapse } from '../domain/claim.js';
import { reportFailure, reportSuccess } from '../domain/report.js';
import { assertOwned } from './messages.js';
import { WaitingRoom } from './waiting-room.js';
/** What phones do: take the next message and report what became of it (SPEC.md sections 3 and 4.2). */
export class ClaimService {
    #context;
    #lease;
    #room;
    /** @param lease length of a lease in milliseconds */
    constructor(context, lease) {
        this.#context = context;
        this.#lease = lease;
        this.#room = new WaitingRoom(context);
    }
    /**
     * The next message, leased to `holder`; undefined when none is due within the time to wait. Nothing is claimed for
     * a signal that was aborted, nor after a wait for a token that ended meanwhile.
     */
    async next(account, holder, { wait = 0, signal } = {}) {
        const deadline = this.#context.now() + wait;
        if (signal?.aborted === true)
            return undefined;
        for (;;) {
            const message = await this.#claim(account, holder);
            if (message !== undefined)
                this.#room.wake(account.id);
            if (message !== undefined || this.#context.now() >= deadline)
                return message;
            const goOn = await this.#room.wait(account.id, deadline, signal);
            if (!goOn)
                return undefined;
            if ((await this.#context.store.tokens.get(holder)) === undefined) {
                this.#room.wake(account.id);
                return undefined;
            }
        }
    }
    /** Takes a success report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
    async succeed(account, holder, id, report, key) {
        const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) };
        const message = await this.#context.store.messages.change(id, current => reportSuccess(assertOwned(current, account, id), report, by));
        return assertOwned(message, account, id);
    }
    /** Takes a failure report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
    async fail(account, holder, id, report, key) {
        const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) };
        const message = await this.#context.store.messages.change(id, current => reportFailure(assertOwned(current, account, id), report, by, account.mode));
        return assertOwned(message, account, id);
    }
    /** Decides on every lease that ended unreported, by the delivery mode of its account. */
    async settleLapsed() {
        const now = this.#context.now();
        const { accounts, messages } = this.#context.store;
        for (const { id, account } of messages.lapsed(now)) {
            const mode = (await accounts.get(account))?.mode;
            if (mode !== 'at-most-once')
                continue;
            await messages.change(id, message => (message ? lapse(message, now, mode) : {}));
        }
    }
    /** Ends every wait. */
    stop() {
        this.#room.close();
    }
    async #claim(account, holder) {
        const now = this.#context.now();
        const by = { holder, now, lease: this.#lease, mode: account.mode };
        return await this.#context.store.messages.claim(account.id, holder, now, (message, facts) => claim(message, by, facts));
    }
}
