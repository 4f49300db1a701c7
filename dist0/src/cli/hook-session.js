import { randomBytes } from 'node:crypto';
import { isRelayError } from '../errors.js';
/** The relay says which events there are; the list can grow, so any name goes to it (SPEC.md section 9). */
export function eventName(name) {
    return name;
}
/** Temporary subscriptions, each with a path of its own: a hit does not name its event. */
export class HookSession {
    #options;
    #key = randomBytes(9).toString('base64url');
    #ids = [];
    constructor(options) {
        this.#options = options;
    }
    /** Makes the subscriptions; after an error, {@link end} removes those that were made. */
    async begin(signal) {
        const { client, events, url, method, post } = this.#options;
        const base = url.replace(/\/+$/, '');
        const how = {
            ...(method === undefined ? {} : { method }),
            ...(post === undefined ? {} : { post }),
        };
        for (const event of events) {
            const draft = { event: eventName(event), url: `${base}/${this.#key}/${event}`, ...how };
            this.#ids.push((await client.createSubscription(draft, { signal })).id);
        }
    }
    /** The event and message of a hit; undefined when it is not of this session. */
    read(hit) {
        const { pathname } = new URL(hit.url, 'http://receiver');
        const event = this.#options.events.find(name => pathname.endsWith(`/${this.#key}/${name}`));
        return event === undefined ? undefined : { event, message: { id: messageId(hit) }, ...hit };
    }
    /** Removes the subscriptions; returns the identifiers of those that could not be removed. */
    async end() {
        const signal = AbortSignal.timeout(5000);
        const left = [];
        for (const id of this.#ids.splice(0)) {
            try {
                await this.#options.client.deleteSubscription(id, { signal });
            }
            catch (error) {
                if (!isRelayError(error, 'not_a_subscription'))
                    left.push(id);
            }
        }
        return left;
    }
}
/** The message's id, from the body of a posted hit or the query of another (SPEC.md section 6). */
function messageId(hit) {
    const inQuery = new URL(hit.url, 'http://receiver').searchParams.get('message[id]');
    if (inQuery !== null || hit.body === '')
        return inQuery;
    try {
        const id = JSON.parse(hit.body)?.message?.id;
        return typeof id === 'string' ? id : null;
    }
    catch {
        return null;
    }
}
