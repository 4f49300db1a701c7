/** The lanes of a dispatcher, found by account. */
export class Roster {
    #accounts = new Map();
    /** Every lane. */
    all() {
        return [...this.#accounts.values()].flatMap(lanes => [...lanes.values()]);
    }
    /** The lanes of an account. */
    of(account) {
        return [...(this.#accounts.get(account)?.values() ?? [])];
    }
    /** The lanes of an account that one of these events concerns. */
    concerned(account, events) {
        return this.of(account).filter(lane => events.includes(lane.subscription.event));
    }
    /** Whether the subscription has a lane. */
    has({ account, id }) {
        return this.#accounts.get(account)?.has(id) ?? false;
    }
    /** Adds a lane. */
    add(lane) {
        const { account, id } = lane.subscription;
        const lanes = this.#accounts.get(account) ?? new Map();
        this.#accounts.set(account, lanes.set(id, lane));
    }
    /** Removes a lane. */
    remove(lane) {
        const { account, id } = lane.subscription;
        const lanes = this.#accounts.get(account);
        lanes?.delete(id);
        if (lanes?.size === 0)
            this.#accounts.delete(account);
    }
}
