import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { messageView } from '../../src/cli/views.js';
export default class MessageUnlock extends ApiCommand {
    static summary = 'Let a locked message go on.';
    static examples = ['<%= config.bin %> message unlock ID'];
    static args = { id: neededArgument('Identifier of the message.') };
    async run() {
        const { args, flags } = await this.parse(MessageUnlock);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' });
        const client = await this.client(flags);
        this.show(await client.unlockMessage(id, this.call), messageView);
    }
}
