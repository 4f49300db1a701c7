import { attempt, isTest } from './attempt.js';
import { Outage } from './outage.js';
import { sentence } from './relay-errors.js';
import { report } from './report.js';
/** The message in hand: attempts it, reports it, and counts what became of it. */
export class Hand {
    #context;
    #counts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 };
    #refusals;
    #holds;
    #troubled;
    #trouble;
    constructor(context) {
        this.#context = context;
        this.#refusals = new Outage(context);
    }
    /** Identifier of the message in hand. */
    get holds() {
        return this.#holds;
    }
    /** What was done so far. */
    get result() {
        return { ...this.#counts, ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }) };
    }
    /** Does all that is to be done for a message; throws when the relay does not accept the keys any more. */
    async settle(message) {
        const { id, destination } = message;
        this.#holds = id;
        if (id !== this.#troubled)
            this.#context.emit({ event: 'took', id, destination });
        const done = await this.#attempt(message);
        if (isTrouble(done))
            await this.#keep(id, done);
        else
            await this.#report(done, { message });
        this.#holds = undefined;
    }
    /**
     * Reports what an earlier run did not get to report; a stop ends it, for the outcomes stay in the journal. Throws
     * when the relay does not accept the keys any more.
     */
    async resume() {
        const { emit, journal, stop } = this.#context;
        for (const known of journal.unreported()) {
            if (stop.aborted)
                return;
            const { id, outcome } = known;
            this.#holds = id;
            emit({ event: 'resumed', id, outcome: outcome.result });
            await this.#report(known, { force: stop });
            this.#holds = undefined;
        }
    }
    async #attempt(message) {
        const { journal, createKey } = this.#context;
        const mine = { id: message.id, key: createKey() };
        try {
            const known = await journal.begin(message, mine.key);
            if (known !== undefined)
                return known;
        }
        catch (error) {
            return { result: 'trouble', error: sentence(error) };
        }
        const outcome = await attempt(message, this.#context);
        if (outcome.result === 'trouble') {
            await journal.cancel(mine);
            return outcome;
        }
        await journal.record(mine, outcome);
        if (!isTest(message))
            this.#recovered();
        return { ...mine, outcome };
    }
    /** The message stays leased to this token, so the next NEXT gives it again. */
    async #keep(id, { error }) {
        const { emit, gateway, once, stop } = this.#context;
        this.#troubled = id;
        this.#trouble = error;
        if (gateway.begin())
            emit({ event: 'trouble', id, error });
        if (!once)
            await gateway.wait(stop);
    }
    #recovered() {
        const { emit, gateway } = this.#context;
        this.#troubled = undefined;
        this.#trouble = undefined;
        if (gateway.end())
            emit({ event: 'recovered' });
    }
    async #report(known, { message, force = this.#context.force }) {
        const { emit, journal } = this.#context;
        const delivery = await report(known, { ...this.#context, force });
        if (delivery.report !== 'abandoned')
            await journal.settle(known);
        this.#count(known.outcome, delivery);
        emit(told(known, delivery, message));
        if (delivery.report === 'abandoned' && !force.aborted)
            throw delivery.error;
        await this.#afterAnswer(delivery);
    }
    /** A relay that refuses what it has asked for, again and again, is not asked at full speed. */
    async #afterAnswer(delivery) {
        if (delivery.report !== 'refused')
            this.#refusals.end();
        else {
            this.#refusals.begin();
            if (!this.#context.once)
                await this.#refusals.wait(this.#context.stop);
        }
    }
    #count(outcome, delivery) {
        this.#counts.handled += 1;
        this.#counts[outcome.result] += 1;
        if (delivery.report !== 'taken')
            this.#counts.unreported += 1;
    }
}
function isTrouble(done) {
    return 'result' in done;
}
function told({ id, outcome }, delivery, message) {
    if (delivery.report === 'taken')
        return taken(outcome, delivery.message, message);
    const error = sentence(delivery.error);
    if (delivery.report === 'abandoned') {
        return { event: 'abandoned', id, outcome: outcome.result, error };
    }
    return { event: 'refused', id, outcome: outcome.result, code: delivery.error.code, error };
}
function taken(outcome, now, message = now) {
    const { id } = message;
    const test = isTest(message);
    if (outcome.result === 'sent')
        return { event: 'sent', id, parts: outcome.parts, test };
    const { result, error } = outcome;
    if (result === 'unknown')
        return { event: 'unknown', id, error, status: now.status };
    return { event: 'failed', id, error, status: now.status, test };
}
