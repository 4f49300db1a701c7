import type { Subscription } from '../domain/subscription.js';
/** One request to a customer, to the byte (SPEC.md section 6). */
export interface Hit {
    readonly method: string;
    /** Address without login and fragment. */
    readonly url: string;
    /** Path and query as they stand in the request line. */
    readonly target: string;
    /** In the order in which they are sent. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}
/** The request that tells a subscription of an event on a message; `from` names the service (SPEC.md section 6). */
export declare function hitFor(subscription: Pick<Subscription, 'url' | 'method' | 'post'>, message: string, from: string): Hit;
