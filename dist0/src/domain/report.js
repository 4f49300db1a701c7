import { RelayError } from '../errors.js';
import { isWaiting, maxAttempts, released, retryStep, statusNames, withStatus, } from './message.js';
/** Both {@link DeliveryMode}s. */
export const deliveryModes = ['at-least-once', 'at-most-once'];
/**
 * Decides a success report: N or E becomes S and fires message.sent; the same report again changes nothing.
 * Throws `invalid_state` (SPEC.md section 3).
 */
export function reportSuccess(message, report, by) {
    if (message.status === 'S' && (message.parts === report.parts || isRepeat(message, by)))
        return {};
    assertReportable(message, by);
    const sent = released(withStatus(message, 'S', by.now), { failures: 0, parts: report.parts });
    return { message: { ...withoutRetry(sent), ...keyOf(by) }, events: ['message.sent'] };
}
/**
 * Decides a failure report: one more failure gives E and a later retry, the fifth gives F and fires
 * message.failed; an unknown outcome locks the message in at-most-once mode. Throws `invalid_state`
 * (SPEC.md section 3).
 */
export function reportFailure(message, report, by, mode) {
    if (isRepeat(message, by))
        return {};
    assertReportable(message, by);
    const failures = Math.min(message.failures + 1, maxAttempts);
    const base = { ...afterAttempt(message, by), error: report.error, ...keyOf(by) };
    if (report.outcome === 'unknown' && mode === 'at-most-once') {
        return { message: withStatus(released(base), 'L', by.now) };
    }
    if (failures >= maxAttempts) {
        const failed = withStatus(released(withoutRetry(base), { failures }), 'F', by.now);
        return { message: failed, events: ['message.failed'] };
    }
    const retryAt = by.now + failures * retryStep;
    return { message: withStatus({ ...base, failures, retryAt }, 'E', by.now) };
}
/** A message may be reported while it waits, or when it was locked in the hands of the one who reports. */
function assertReportable(message, by) {
    if (isWaiting(message))
        return;
    if (message.status === 'L' && message.lastHolder === by.holder)
        return;
    throw new RelayError('invalid_state', `The message is ${statusNames[message.status]}; only a new or error message can be reported on.`);
}
/** A report by somebody else leaves the lease with the one who holds it, as long as the message waits. */
function afterAttempt(message, by) {
    const heldByOther = message.lease !== undefined && message.lease.holder !== by.holder;
    return heldByOther ? message : released(message);
}
function isRepeat(message, by) {
    return by.key !== undefined && by.key === message.reportKey;
}
function keyOf(by) {
    return by.key === undefined ? {} : { reportKey: by.key };
}
function withoutRetry(message) {
    const { retryAt: _, ...rest } = message;
    return rest;
}
