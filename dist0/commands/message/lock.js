import { ApiCommand } from '../../src/cli/api-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { messageView } from '../../src/cli/views.js';
export default class MessageLock extends ApiCommand {
    static summary = 'Hold a waiting message back.';
    static description = 'A locked message is not sent until `message unlock`.';
    static examples = ['<%= config.bin %> message lock ID'];
    static args = { id: neededArgument('Identifier of the message.') };
    async run() {
        const { args, flags } = await this.parse(MessageLock);
        const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' });
        const client = await this.client(flags);
        this.show(await client.lockMessage(id, this.call), messageView);
    }
}
