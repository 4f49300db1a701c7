import { formatDateTime } from '../domain/date-time.js';
import { isWaiting } from '../domain/message.js';
/** A message with its links (SPEC.md sections 2.1 and 2.2). */
export function messageEnvelope(message, base) {
    return { message: messageFields(message), links: messageLinks(message, base) };
}
function messageFields(message) {
    return {
        id: message.id,
        destination: message.destination,
        message: message.text,
        created_on: formatDateTime(message.createdAt),
        send_on: formatDateTime(message.sendAt),
        status: message.status,
        status_date: formatDateTime(message.statusAt),
        source: message.source,
        failure_count: message.failures,
    };
}
/** The operations on a message: those that change it only while it is new or in error (README: links). */
export function messageLinks(message, base) {
    const all = `${base}/api/1/message`;
    const one = `${all}/${message.id}`;
    const always = {
        list: link('GET', all),
        next: link('NEXT', all),
        new: link('POST', all),
        get: link('GET', one),
    };
    const last = { delete: link('DELETE', one) };
    if (!isWaiting(message))
        return { ...always, ...last };
    return {
        ...always,
        edit: link('PATCH', one),
        ...last,
        success: link('PUT', `${one}/success`),
        failure: link('PUT', `${one}/failure`),
    };
}
/** A subscription with its links (SPEC.md sections 2.1 and 2.3). */
export function subscriptionEnvelope(subscription, base) {
    const { id, event, url, method, post, triggered } = subscription;
    const all = `${base}/api/1/subscription`;
    const one = `${all}/${id}`;
    return {
        subscription: { id, event, url, method, post, stat_triggered: triggered },
        links: {
            events: link('GET', `${all}/events`),
            list: link('GET', all),
            new: link('POST', all),
            get: link('GET', one),
            edit: link('PATCH', one),
            delete: link('DELETE', one),
        },
    };
}
/** The operations on the user (README: links). */
export function userLinks(base) {
    return { get: link('GET', `${base}/api/1/user`), app: link('GET', `${base}/api/1/user/app`) };
}
/** An entry of a Do Not Text list. */
export function blockFields(entry) {
    return {
        number: entry.number,
        added_on: formatDateTime(entry.at),
        scope: entry.scope === '*' ? 'service' : 'account',
    };
}
function link(method, url) {
    return { method, url };
}
