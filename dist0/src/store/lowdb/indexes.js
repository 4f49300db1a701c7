import { EventIndex } from './event-index.js';
import { MessageIndex } from './message-index.js';
/** Everything that is found otherwise than by its key. */
export class Indexes {
    messages = new MessageIndex();
    events = new EventIndex();
    byEmail = new Map();
    bySecretKey = new Map();
    /** Indexes what is in the collections. */
    constructor(data) {
        for (const account of data.account.values())
            this.#account(undefined, account);
        for (const message of data.message.values())
            this.messages.changed(undefined, message);
        for (const event of data.event.values())
            this.events.changed(undefined, event);
        for (const subscription of data.subscription.values()) {
            this.events.startAfter(subscription.cursor);
        }
        this.events.startAfter(data.meta.get('events')?.seq ?? 0);
    }
    /** Follows a record from one form to the next. */
    changed(kind, before, after) {
        if (kind === 'message')
            this.messages.changed(before, after);
        else if (kind === 'event')
            this.events.changed(before, after);
        else if (kind === 'account')
            this.#account(before, after);
    }
    #account(before, after) {
        if (before !== undefined) {
            this.byEmail.delete(emailKey(before.email));
            this.bySecretKey.delete(before.secretKey);
        }
        if (after === undefined)
            return;
        this.byEmail.set(emailKey(after.email), after.id);
        this.bySecretKey.set(after.secretKey, after.id);
    }
}
/** The form in which e-mail addresses are compared. */
export function emailKey(email) {
    return email.toLowerCase();
}
