import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { subscriptionView } from '../../src/cli/views.js';
export default class HookGet extends ApiCommand {
    static summary = 'Show a subscription.';
    static examples = ['<%= config.bin %> hook get ID'];
    static args = { id: neededArgument('Identifier of the subscription.') };
    async run() {
        const { args, flags } = await this.parse(HookGet);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the subscription' });
        const client = await this.client(flags);
        this.show(await client.getSubscription(id, this.call), subscriptionView);
    }
}
