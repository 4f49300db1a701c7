import { concernsSubscriptions } from '../services/deliveries.js';
import { insist } from './context.js';
import { Lane } from './lane.js';
import { Roster } from './roster.js';
/** A lane for each subscription, following what the store tells. */
export class Lanes {
    #context;
    #roster = new Roster();
    #changed = new Set();
    #following = false;
    constructor(context) {
        this.#context = context;
    }
    /** Starts a lane for each of these subscriptions that has none. */
    adopt(subscriptions) {
        for (const subscription of subscriptions) {
            if (this.#roster.has(subscription))
                continue;
            const lane = new Lane(this.#context, subscription, gone => this.#roster.remove(gone));
            this.#roster.add(lane);
            lane.wake();
        }
    }
    /** Wakes the lanes that a notice concerns, and looks for new and removed subscriptions where it may mean some. */
    follow(notice) {
        const { account, events } = notice;
        for (const lane of this.#roster.concerned(account, events))
            lane.wake();
        if (!concernsSubscriptions(notice))
            return;
        this.#changed.add(account);
        if (!this.#following)
            void this.#context.activity.during(() => this.#review());
    }
    /** Makes every lane stop waiting for its retry. */
    sleep() {
        for (const lane of this.#roster.all())
            lane.sleep();
    }
    async #review() {
        this.#following = true;
        for (const account of this.#changed) {
            this.#changed.delete(account);
            await insist(this.#context, () => this.#reviewAccount(account));
        }
        this.#following = false;
    }
    async #reviewAccount(account) {
        const subscriptions = await this.#context.store.subscriptions.list(account);
        this.adopt(subscriptions);
        const kept = new Set(subscriptions.map(subscription => subscription.id));
        for (const lane of this.#roster.of(account)) {
            if (!kept.has(lane.subscription.id))
                lane.wake();
        }
    }
}
