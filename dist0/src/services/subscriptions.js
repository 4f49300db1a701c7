import { RelayError } from '../errors.js';
/** What users do with subscriptions (SPEC.md section 4.3); another user's subscription does not exist. */
export class SubscriptionService {
    #context;
    constructor(context) {
        this.#context = context;
    }
    /** Makes a subscription to the events recorded from now on. */
    async create(account, draft) {
        const { event, url, method, post } = draft;
        return await this.#context.store.subscriptions.create({
            id: this.#context.newId(),
            account: account.id,
            event,
            url,
            method,
            post,
            triggered: 0,
            createdAt: this.#context.now(),
        });
    }
    /** The account's subscriptions in order of creation. */
    async list(account) {
        return await this.#context.store.subscriptions.list(account.id);
    }
    /** One subscription. Throws `not_a_subscription`. */
    async get(account, id) {
        return assertOwned(await this.#context.store.subscriptions.get(id), account, id);
    }
    /** Changes a subscription whose event is `event`. Throws `not_a_subscription`. */
    async edit(account, id, event, changes) {
        const edited = await this.#context.store.subscriptions.change(id, current => {
            const subscription = assertOwned(current, account, id);
            if (subscription.event === event)
                return { ...subscription, ...changes };
            throw new RelayError('not_a_subscription', `Subscription ${id} does not listen to that event; \`event\` must be the one it was created with.`);
        });
        return assertOwned(edited, account, id);
    }
    /** Removes a subscription. Throws `not_a_subscription`. */
    async remove(account, id) {
        await this.get(account, id);
        if (!(await this.#context.store.subscriptions.remove(id)))
            throw notASubscription(id);
    }
}
function assertOwned(subscription, account, id) {
    if (subscription?.account === account.id)
        return subscription;
    throw notASubscription(id);
}
function notASubscription(id) {
    return new RelayError('not_a_subscription', `There is no subscription ${id}; list the subscriptions to see their ids.`);
}
