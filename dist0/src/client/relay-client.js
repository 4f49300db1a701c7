import { z } from 'zod';
import { blocklistListReply, blocklistReply } from '../contract/blocklist.js';
import { messageIdReply, messageListReply, messageReply, } from '../contract/message.js';
import { eventsReply, subscriptionIdReply, subscriptionListReply, subscriptionReply, } from '../contract/subscription.js';
import { userAppReply, userReply } from '../contract/user.js';
import { isRelayError } from '../errors.js';
import { Transport } from './transport.js';
/** The interface of a relay, one method a route; every method throws RelayError (SPEC.md section 4). */
export class RelayClient {
    #transport;
    constructor(options) {
        this.#transport = new Transport(options);
    }
    /** Base address of the relay. */
    get url() {
        return this.#transport.url;
    }
    /** GET /oauth: a new token for the client's credentials. */
    async issueToken(options = {}) {
        return await this.#transport.issue(options.signal);
    }
    /** GET /oauth/revoke: ends a token. */
    async revokeToken(token, options = {}) {
        await this.#transport.open('GET', '/oauth/revoke', z.unknown(), {
            query: { token },
            ...options,
        });
    }
    /** POST /message: accepts a message to send. */
    async createMessage(draft, options = {}) {
        const call = { json: { message: draft }, repeatable: true, ...keyed(options) };
        return (await this.#transport.call('POST', '/message', messageReply, call)).message;
    }
    /** GET /message: a page of messages. */
    async listMessages(filter = {}, options = {}) {
        const query = { filter: JSON.stringify(filter) };
        const reply = await this.#transport.call('GET', '/message', messageListReply, {
            query,
            ...options,
        });
        return reply.messages.map(each => each.message);
    }
    /** NEXT /message: the message to send next, leased to this client's token; undefined when none is due. */
    async nextMessage(options = {}) {
        const wait = options.wait ?? 0;
        const call = {
            headers: wait > 0 ? { prefer: `wait=${wait}` } : {},
            timeout: (wait + 30) * 1000,
            signal: options.signal,
        };
        try {
            return (await this.#transport.call('NEXT', '/message', messageReply, call)).message;
        }
        catch (error) {
            if (isRelayError(error, 'not_a_message'))
                return undefined;
            throw error;
        }
    }
    /** GET /message/<id>. */
    async getMessage(id, options = {}) {
        return (await this.#transport.call('GET', messagePath(id), messageReply, options)).message;
    }
    /** PATCH /message/<id>: changes a new or error message. */
    async editMessage(id, edit, options = {}) {
        const call = { json: { message: edit }, ...options };
        await this.#transport.call('PATCH', messagePath(id), messageIdReply, call);
    }
    /** DELETE /message/<id>. */
    async deleteMessage(id, options = {}) {
        await this.#transport.call('DELETE', messagePath(id), messageIdReply, options);
    }
    /** PUT /message/<id>/success: the message was sent in so many parts. */
    async reportSuccess(id, report, options = {}) {
        const call = { json: report, ...keyed(options) };
        return (await this.#transport.call('PUT', messagePath(id, '/success'), messageReply, call))
            .message;
    }
    /** PUT /message/<id>/failure: the attempt failed, or nobody knows what became of it. */
    async reportFailure(id, report, options = {}) {
        const call = { json: report, ...keyed(options) };
        return (await this.#transport.call('PUT', messagePath(id, '/failure'), messageReply, call))
            .message;
    }
    /** PUT /message/<id>/lock: holds a waiting message back (extension). */
    async lockMessage(id, options = {}) {
        return (await this.#transport.call('PUT', messagePath(id, '/lock'), messageReply, options))
            .message;
    }
    /** PUT /message/<id>/unlock: lets a locked message go on (extension). */
    async unlockMessage(id, options = {}) {
        return (await this.#transport.call('PUT', messagePath(id, '/unlock'), messageReply, options))
            .message;
    }
    /** PUT /message/<id>/undelete: brings a deleted message back (extension). */
    async undeleteMessage(id, options = {}) {
        const path = messagePath(id, '/undelete');
        return (await this.#transport.call('PUT', path, messageReply, options)).message;
    }
    /** GET /subscription/events: the events one can subscribe to. */
    async listEvents(options = {}) {
        const path = '/subscription/events';
        return (await this.#transport.call('GET', path, eventsReply, options)).events;
    }
    /** GET /subscription. */
    async listSubscriptions(options = {}) {
        const reply = await this.#transport.call('GET', '/subscription', subscriptionListReply, options);
        return reply.subscriptions.map(each => each.subscription);
    }
    /** POST /subscription. */
    async createSubscription(draft, options = {}) {
        const call = { json: draft, ...options };
        return (await this.#transport.call('POST', '/subscription', subscriptionReply, call))
            .subscription;
    }
    /** GET /subscription/<id>. */
    async getSubscription(id, options = {}) {
        const path = subscriptionPath(id);
        return (await this.#transport.call('GET', path, subscriptionReply, options)).subscription;
    }
    /** PATCH /subscription/<id>: `event` must be that of the subscription. */
    async editSubscription(id, edit, options = {}) {
        const call = { json: edit, ...options };
        return (await this.#transport.call('PATCH', subscriptionPath(id), subscriptionReply, call))
            .subscription;
    }
    /** DELETE /subscription/<id>. */
    async deleteSubscription(id, options = {}) {
        await this.#transport.call('DELETE', subscriptionPath(id), subscriptionIdReply, options);
    }
    /** GET /user: the e-mail address of the account. */
    async getUser(options = {}) {
        return (await this.#transport.call('GET', '/user', userReply, options)).user;
    }
    /** GET /user/app: the keys of the phone application; needs a User Login token. */
    async getUserApp(options = {}) {
        return (await this.#transport.call('GET', '/user/app', userAppReply, options)).user;
    }
    /** GET /blocklist: the numbers this account must not text (extension). */
    async listBlocked(options = {}) {
        const reply = await this.#transport.call('GET', '/blocklist', blocklistListReply, options);
        return reply.entries.map(each => each.entry);
    }
    /** POST /blocklist: adds a number to the account's Do Not Text list (extension). */
    async addBlocked(number, options = {}) {
        const call = { json: { number }, repeatable: true, ...options };
        return (await this.#transport.call('POST', '/blocklist', blocklistReply, call)).entry;
    }
    /** DELETE /blocklist/<number>: takes a number off the account's Do Not Text list (extension). */
    async removeBlocked(number, options = {}) {
        const path = `/blocklist/${encodeURIComponent(number)}`;
        return (await this.#transport.call('DELETE', path, blocklistReply, options)).entry;
    }
}
function messagePath(id, action = '') {
    return `/message/${encodeURIComponent(id)}${action}`;
}
function subscriptionPath(id) {
    return `/subscription/${encodeURIComponent(id)}`;
}
function keyed(options) {
    const key = options.idempotencyKey ?? crypto.randomUUID();
    return { signal: options.signal, headers: { 'idempotency-key': key } };
}
