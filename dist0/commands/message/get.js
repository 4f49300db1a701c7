import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { messageView } from '../../src/cli/views.js';
export default class MessageGet extends ApiCommand {
    static summary = 'Show a message.';
    static examples = ['<%= config.bin %> message get ID'];
    static args = { id: neededArgument('Identifier of the message.') };
    async run() {
        const { args, flags } = await this.parse(MessageGet);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' });
        const client = await this.client(flags);
        this.show(await client.getMessage(id, this.call), messageView);
    }
}
