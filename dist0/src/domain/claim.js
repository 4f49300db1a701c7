import { isWaiting, released, withStatus } from './message.js';
/**
 * Decides whether a due message goes to the claimer: a listed number is blocked instead, a message whose
 * lease ended unreported is locked in at-most-once mode (DESIGN: leases).
 */
export function claim(message, by, facts) {
    if (facts.blocked)
        return { ...block(message, by.now), given: false };
    const heldByOther = message.lease !== undefined && message.lease.holder !== by.holder;
    const ended = message.lease !== undefined && message.lease.until <= by.now;
    if (heldByOther && !ended)
        return { given: false };
    if (ended && by.mode === 'at-most-once') {
        return { ...lapse(message, by.now, by.mode), given: false };
    }
    const lease = { holder: by.holder, until: by.now + by.lease };
    return { message: { ...message, lease, lastHolder: by.holder }, given: true };
}
/**
 * Decides what becomes of a lease that ended unreported: in at-most-once mode the message is locked for a
 * person to decide, otherwise it is simply available again.
 */
export function lapse(message, now, mode) {
    if (!isWaiting(message) || message.lease === undefined || message.lease.until > now)
        return {};
    if (mode === 'at-least-once')
        return {};
    const error = 'The phone that took this message never said what became of it.';
    return { message: withStatus(released(message, { error }), 'L', now) };
}
/** Blacklists a message and fires message.blocked (SPEC.md sections 3 and 6). */
export function block(message, now) {
    return { message: withStatus(released(message), 'B', now), events: ['message.blocked'] };
}
