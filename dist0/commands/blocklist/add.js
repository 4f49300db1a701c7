import { neededArgument } from '../../src/cli/arguments.js';
import { BlocklistCommand } from '../../src/cli/blocklist-command.js';
export default class BlocklistAdd extends BlocklistCommand {
    static summary = 'Put a number on a Do Not Text list.';
    static description = 'Messages to it that wait are blocked at once, later ones when they are created.';
    static examples = [
        '<%= config.bin %> blocklist add +12025550123',
        '<%= config.bin %> blocklist add +12025550123 --service --data /var/lib/smsrelay',
    ];
    static args = { number: neededArgument('The phone number.') };
    async run() {
        const { args, flags } = await this.parse(BlocklistAdd);
        const number = await this.need(args.number, { name: 'NUMBER', message: 'Phone number' });
        const entry = await this.onList(flags, openService, list => list.addBlocked(number, this.call));
        this.show(entry, each => `Listed ${each.number} (${each.scope}).`);
    }
}
async function openService(dataDir) {
    const { openAdministration } = await import('../../src/relay.js');
    return await openAdministration(dataDir);
}
