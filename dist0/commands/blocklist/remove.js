import { neededArgument } from '../../src/cli/arguments.js';
import { BlocklistCommand } from '../../src/cli/blocklist-command.js';
export default class BlocklistRemove extends BlocklistCommand {
    static summary = 'Take a number off a Do Not Text list.';
    static description = 'Messages that were blocked stay blocked.';
    static examples = [
        '<%= config.bin %> blocklist remove +12025550123',
        '<%= config.bin %> blocklist remove +12025550123 --service --data /var/lib/smsrelay',
    ];
    static args = { number: neededArgument('The phone number.') };
    async run() {
        const { args, flags } = await this.parse(BlocklistRemove);
        const number = await this.need(args.number, { name: 'NUMBER', message: 'Phone number' });
        const entry = await this.onList(flags, openService, list => list.removeBlocked(number, this.call));
        this.show(entry, each => `Removed ${each.number} (${each.scope}).`);
    }
}
async function openService(dataDir) {
    const { openAdministration } = await import('../../src/relay.js');
    return await openAdministration(dataDir);
}
