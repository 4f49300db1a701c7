import { RelayError } from '../errors.js';
import { block } from './claim.js';
import { isFinal, isWaiting, released, statusNames, withStatus, } from './message.js';
/** Decides the creation of a message: a listed number is created and blocked at once (SPEC.md section 6). */
export function create(message, facts) {
    if (!facts.blocked)
        return { message, events: ['message.create'] };
    const blocked = block(message, message.createdAt);
    return { ...blocked, events: ['message.create', 'message.blocked'] };
}
/** Decides an edit: only N and E can be edited, and a listed number blocks. Throws `invalid_state`. */
export function edit(message, changes, now, facts) {
    if (!isWaiting(message))
        throw stateError(message, 'edited', 'new or error');
    const edited = { ...message, ...changes };
    return facts.blocked ? block(edited, now) : { message: edited };
}
/** Decides a deletion: N, E and L are kept as D for undelete, a final message is removed for good. */
export function remove(message, now) {
    if (isFinal(message))
        return { message: null };
    const before = message.status;
    return { message: { ...withStatus(released(message), 'D', now), before } };
}
/** Decides a lock: N and E become L and are not sent; a locked message stays so. Throws `invalid_state`. */
export function lock(message, now) {
    if (message.status === 'L')
        return {};
    if (!isWaiting(message))
        throw stateError(message, 'locked', 'new or error');
    return { message: withStatus(released(message), 'L', now) };
}
/** Decides an unlock: L becomes N or E, or B where the number is listed. Throws `invalid_state`. */
export function unlock(message, now, facts) {
    if (message.status !== 'L')
        throw stateError(message, 'unlocked', 'locked');
    return facts.blocked ? block(message, now) : { message: withStatus(message, open(message), now) };
}
/** Decides an undelete: D becomes what it was, or B where the number is listed. Throws `invalid_state`. */
export function undelete(message, now, facts) {
    if (message.status !== 'D')
        throw stateError(message, 'undeleted', 'deleted');
    const { before, ...rest } = message;
    const status = before === 'L' ? 'L' : open(message);
    return facts.blocked && status !== 'L'
        ? block(rest, now)
        : { message: withStatus(rest, status, now) };
}
function open(message) {
    return message.failures === 0 ? 'N' : 'E';
}
function stateError(message, done, only) {
    const is = statusNames[message.status];
    return new RelayError('invalid_state', `The message is ${is}; only a ${only} message can be ${done}.`);
}
