import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
export default class HookDelete extends ApiCommand {
    static summary = 'Remove a subscription.';
    static examples = ['<%= config.bin %> hook delete ID'];
    static args = { id: neededArgument('Identifier of the subscription.') };
    async run() {
        const { args, flags } = await this.parse(HookDelete);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the subscription' });
        const client = await this.client(flags);
        await client.deleteSubscription(id, this.call);
        this.show({ id }, () => `Removed ${id}.`);
    }
}
