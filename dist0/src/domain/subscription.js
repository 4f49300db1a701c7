const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Waits before each retry of a hit, in milliseconds; the last repeats. */
export const hitRetryDelays = [
    1 * second,
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    1 * hour,
];
/** How long a hit is tried in all, in milliseconds. */
export const hitPatience = 72 * hour;
/** The subscription after a hit that counts: the event is done, and counted if this was its first hit. */
export function hitSucceeded(subscription, seq) {
    const { trying, ...rest } = subscription;
    return { ...rest, cursor: seq, triggered: rest.triggered + (trying?.seq === seq ? 0 : 1) };
}
/**
 * The subscription after a hit that failed: it is tried again after the next delay of
 * {@link hitRetryDelays}, and given up after {@link hitPatience}.
 */
export function hitFailed(subscription, seq, now) {
    const { trying, ...rest } = subscription;
    const earlier = trying?.seq === seq ? trying : undefined;
    const attempts = (earlier?.attempts ?? 0) + 1;
    const firstAt = earlier?.firstAt ?? now;
    const triggered = rest.triggered + (earlier === undefined ? 1 : 0);
    const delay = hitRetryDelays[attempts - 1] ?? hour;
    if (now + delay - firstAt > hitPatience)
        return { ...rest, triggered, cursor: seq };
    return { ...rest, triggered, trying: { seq, attempts, firstAt, retryAt: now + delay } };
}
