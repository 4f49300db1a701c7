import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { messageView } from '../../src/cli/views.js';
export default class MessageUndelete extends ApiCommand {
    static summary = 'Bring a deleted message back.';
    static description = 'Only a message that was deleted before it was sent or failed is kept for this.';
    static examples = ['<%= config.bin %> message undelete ID'];
    static args = { id: neededArgument('Identifier of the message.') };
    async run() {
        const { args, flags } = await this.parse(MessageUndelete);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' });
        const client = await this.client(flags);
        this.show(await client.undeleteMessage(id, this.call), messageView);
    }
}
