import { BlocklistCommand } from '../../src/cli/blocklist-command.js';
export default class BlocklistList extends BlocklistCommand {
    static summary: string;
    static examples: string[];
    run(): Promise<void>;
}
