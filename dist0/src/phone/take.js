import { backoff } from '../util/backoff.js';
import { withGrace, withSignal } from '../util/with-signal.js';
import { explained, requestedWait, sentence, verdict } from './relay-errors.js';
const polling = { first: 1000, most: 10_000 };
const shortest = 1000;
const lastChance = 2000;
/** Asks a relay for messages, one at a time, through its outages. */
export class Taker {
    #context;
    #ready = false;
    #idle = false;
    #hurried = 0;
    constructor(context) {
        this.#context = context;
    }
    /**
     * The next message; undefined when the loop was asked to stop, or in `once` mode nothing is due. Throws
     * RelayError when the relay will never give one.
     */
    async take() {
        const { stop, once } = this.#context;
        while (!stop.aborted) {
            const message = await this.#ask();
            if (message !== undefined || once)
                return message;
        }
        return undefined;
    }
    async #ask() {
        const { stop, once, relay } = this.#context;
        // Held open only when nothing is known to wait, so that `ready` and `idle` are told without delay.
        const wait = this.#idle ? this.#context.wait : 0;
        try {
            return await this.#poll(wait);
        }
        catch (error) {
            if (stop.aborted)
                return await this.#lastAsk();
            if (once || verdict(error) !== 'temporary')
                throw explained(error);
            if (relay.begin())
                this.#context.emit({ event: 'offline', error: sentence(error) });
            await relay.wait(stop, requestedWait(error));
            return undefined;
        }
    }
    async #poll(wait) {
        const { client, stop, now } = this.#context;
        const began = now();
        const message = await withSignal([stop], signal => client.nextMessage({ wait, signal }));
        this.#answered(message);
        if (message === undefined && wait > 0)
            await this.#restBetweenPolls(now() - began);
        return message;
    }
    #answered(message) {
        const { relay, emit, driver, stop } = this.#context;
        if (relay.end())
            emit({ event: 'online' });
        if (!this.#ready)
            emit({ event: 'ready', driver: driver.name });
        this.#ready = true;
        if (message === undefined && !this.#idle && !stop.aborted)
            emit({ event: 'idle' });
        this.#idle = message === undefined;
        if (message !== undefined)
            this.#hurried = 0;
    }
    /** A relay that does not hold a NEXT open is polled at a bearable rate. */
    async #restBetweenPolls(held) {
        const { pause, random, stop } = this.#context;
        this.#hurried = held < shortest ? this.#hurried + 1 : 0;
        if (this.#hurried > 0)
            await pause(backoff(this.#hurried, random(), polling), stop);
    }
    /**
     * A NEXT that was cut off by the stop may have leased a message that is on its way here. The same token gets the
     * same message, so it is asked for once more and sent, instead of being left leased to nobody.
     */
    async #lastAsk() {
        const { client, stop, force, pause } = this.#context;
        try {
            return await withGrace(stop, lastChance, pause, late => withSignal([force, late], signal => client.nextMessage({ signal })));
        }
        catch {
            return undefined;
        }
    }
}
