import { LowdbAccounts, LowdbTokens } from './accounts.js';
import { LowdbBlocklist } from './blocklist.js';
import { Engine } from './engine.js';
import { LowdbMessages } from './messages.js';
import { LowdbEvents, LowdbSubscriptions } from './subscriptions.js';
/**
 * Opens the embedded store in a directory, which this process must hold alone. Throws `damaged_data` and
 * `configuration`.
 */
export async function openLowdbStore(directory, options = {}) {
    const engine = await Engine.open(directory, options);
    return {
        messages: new LowdbMessages(engine, options.now ?? Date.now),
        accounts: new LowdbAccounts(engine),
        tokens: new LowdbTokens(engine),
        subscriptions: new LowdbSubscriptions(engine),
        events: new LowdbEvents(engine),
        blocklist: new LowdbBlocklist(engine),
        watch: listener => engine.watch(listener),
        close: async () => await engine.close(),
    };
}
