import { fields, table } from './text.js';
/** The states as people read them. */
const statusNames = {
    N: 'new',
    S: 'sent',
    E: 'error',
    F: 'failed',
    D: 'deleted',
    L: 'locked',
    B: 'blocked',
};
/** A message, for people. */
export function messageView(message) {
    return fields({
        id: message.id,
        to: message.destination,
        status: `${statusNames[message.status]} (since ${message.status_date} UTC)`,
        created: `${message.created_on} UTC, by ${message.source}`,
        send: `${message.send_on} UTC`,
        failures: message.failure_count,
        text: message.message,
    });
}
/** Messages one a line, for people. */
export function messageTable(messages, columns) {
    const rows = messages.map(each => [
        each.id,
        statusNames[each.status],
        each.destination,
        each.send_on,
        each.message,
    ]);
    return table(['ID', 'STATUS', 'TO', 'SEND ON (UTC)', 'TEXT'], rows, columns);
}
/** A subscription, for people. */
export function subscriptionView(subscription) {
    return fields({
        id: subscription.id,
        event: subscription.event,
        url: subscription.url,
        method: subscription.method,
        data: subscription.post ? 'JSON body' : 'query string',
        hits: subscription.stat_triggered,
    });
}
/** Subscriptions one a line, for people. */
export function subscriptionTable(subscriptions) {
    const rows = subscriptions.map(each => [
        each.id,
        each.event,
        each.method,
        each.post ? 'body' : 'query',
        String(each.stat_triggered),
        each.url,
    ]);
    return table(['ID', 'EVENT', 'METHOD', 'DATA', 'HITS', 'URL'], rows);
}
