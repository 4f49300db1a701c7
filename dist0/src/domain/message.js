/** The seven states of a message, by letter (SPEC.md section 3). */
export const statusNames = {
    N: 'new',
    S: 'sent',
    E: 'error',
    F: 'failed',
    D: 'deleted',
    L: 'locked',
    B: 'blocked',
};
/** How a message came to be (SPEC.md section 2.2). */
export const sources = ['website', 'api', 'url', 'email'];
/** Send attempts before a message is abandoned (SPEC.md section 8). */
export const maxAttempts = 5;
/** Extra delay of a retry for each failure so far, in milliseconds (SPEC.md section 8). */
export const retryStep = 15 * 60 * 1000;
/** Whether a message waits to be sent: New or Error. */
export function isWaiting(message) {
    return message.status === 'N' || message.status === 'E';
}
/** Whether a message is in a state that cannot change: Sent, Failed or Blacklisted (SPEC.md section 3). */
export function isFinal(message) {
    return message.status === 'S' || message.status === 'F' || message.status === 'B';
}
/** The time a waiting message became or becomes due, in milliseconds since the epoch. */
export function dueAt(message) {
    return Math.max(message.sendAt, message.retryAt ?? 0);
}
/** The time from which a waiting message may be handed out: when it is due and no lease holds it. */
export function availableAt(message) {
    return Math.max(dueAt(message), message.lease?.until ?? 0);
}
/** The message in another state; `statusAt` moves only when the letter changes. */
export function withStatus(message, status, now) {
    return message.status === status ? message : { ...message, status, statusAt: now };
}
/** The message without its lease, and with `changes` applied. */
export function released(message, changes = {}) {
    const { lease: _, ...rest } = message;
    return { ...rest, ...changes };
}
