import { ApiCommand } from '../../src/cli/api-command.js';
export default class HookEvents extends ApiCommand {
    static summary = 'List the events one can subscribe to.';
    static examples = ['<%= config.bin %> hook events'];
    async run() {
        const { flags } = await this.parse(HookEvents);
        const client = await this.client(flags);
        this.show(await client.listEvents(this.call), events => events.join('\n'));
    }
}
