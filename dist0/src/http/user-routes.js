import { blocklistEntry } from '../contract/blocklist.js';
import { parse } from '../contract/parse.js';
import { needFullScope, needLogin } from './auth.js';
import { readFields } from './body.js';
import { param } from './exchange.js';
import { blockFields, userLinks } from './present.js';
/** The user resource (SPEC.md section 4.4). */
export function userRoutes() {
    return {
        '/user': {
            GET: async ({ caller, base }) => {
                needFullScope(caller);
                return { user: { email: caller.account.email }, links: userLinks(base) };
            },
        },
        '/user/app': {
            GET: async ({ caller, base }) => {
                needLogin(caller);
                const { appKey, secretKey } = caller.account;
                return { user: { app_key: appKey, secret_key: secretKey }, links: userLinks(base) };
            },
        },
    };
}
/** The account's Do Not Text list (extension). */
export function blocklistRoutes(blocklist) {
    return {
        '/blocklist': {
            GET: async ({ caller }) => {
                needFullScope(caller);
                const own = await blocklist.list(scopeOf(caller));
                return { entries: own.map(entry => ({ entry: blockFields(entry) })) };
            },
            POST: async ({ caller, request }) => {
                needFullScope(caller);
                const { number } = parse(blocklistEntry, await readFields(request));
                return { entry: blockFields(await blocklist.add(scopeOf(caller), number)) };
            },
        },
        '/blocklist/:number': {
            DELETE: async ({ caller, request }) => {
                needFullScope(caller);
                const removed = await blocklist.remove(scopeOf(caller), param(request, 'number'));
                return { entry: blockFields(removed) };
            },
        },
    };
}
function scopeOf(caller) {
    return { scope: caller.account.id, country: caller.account.country };
}
