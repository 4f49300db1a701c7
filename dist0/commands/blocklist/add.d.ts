import { BlocklistCommand } from '../../src/cli/blocklist-command.js';
export default class BlocklistAdd extends BlocklistCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        number: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    run(): Promise<void>;
}
