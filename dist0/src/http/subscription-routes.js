import { parse } from '../contract/parse.js';
import { subscriptionCreate, subscriptionEdit } from '../contract/subscription.js';
import { eventNames } from '../domain/events.js';
import { needFullScope } from './auth.js';
import { readFields } from './body.js';
import { param } from './exchange.js';
import { subscriptionEnvelope } from './present.js';
/** The subscription resource (SPEC.md section 4.3). */
export function subscriptionRoutes(subscriptions) {
    return {
        '/subscription/events': {
            GET: async ({ caller }) => {
                needFullScope(caller);
                return { events: eventNames };
            },
        },
        '/subscription': { GET: listHandler(subscriptions), POST: createHandler(subscriptions) },
        '/subscription/:id': {
            GET: async ({ caller, request, base }) => {
                needFullScope(caller);
                const found = await subscriptions.get(caller.account, param(request, 'id'));
                return subscriptionEnvelope(found, base);
            },
            PATCH: editHandler(subscriptions),
            DELETE: async ({ caller, request }) => {
                needFullScope(caller);
                const id = param(request, 'id');
                await subscriptions.remove(caller.account, id);
                return { subscription: { id } };
            },
        },
    };
}
function listHandler(subscriptions) {
    return async ({ caller, base }) => {
        needFullScope(caller);
        const found = await subscriptions.list(caller.account);
        return { subscriptions: found.map(each => subscriptionEnvelope(each, base)) };
    };
}
function createHandler(subscriptions) {
    return async ({ caller, request, base }) => {
        needFullScope(caller);
        const draft = parse(subscriptionCreate, await readFields(request));
        return subscriptionEnvelope(await subscriptions.create(caller.account, draft), base);
    };
}
function editHandler(subscriptions) {
    return async ({ caller, request, base }) => {
        needFullScope(caller);
        const id = param(request, 'id');
        await subscriptions.get(caller.account, id);
        const fields = await readFields(request);
        const { event, url, method, post } = parse(subscriptionEdit, fields);
        const changes = {
            ...(url === undefined ? {} : { url }),
            ...(method === undefined ? {} : { method }),
            ...(post === undefined ? {} : { post }),
        };
        const edited = await subscriptions.edit(caller.account, id, event, changes);
        return subscriptionEnvelope(edited, base);
    };
}
