import { blocklistTable } from '../../src/cli/account-views.js';
import { BlocklistCommand } from '../../src/cli/blocklist-command.js';
export default class BlocklistList extends BlocklistCommand {
    static summary = 'List the numbers of a Do Not Text list.';
    static examples = [
        '<%= config.bin %> blocklist list',
        '<%= config.bin %> blocklist list --service --json',
    ];
    async run() {
        const { flags } = await this.parse(BlocklistList);
        const entries = await this.onList(flags, openService, list => list.listBlocked(this.call));
        this.line(entries, () => (entries.length === 0 ? undefined : blocklistTable(entries)));
        if (entries.length === 0)
            this.note('The list is empty.');
    }
}
async function openService(dataDir) {
    const { openAdministration } = await import('../../src/relay.js');
    return await openAdministration(dataDir);
}
