import { AdminCommand } from '../../src/cli/admin-command.js';
export default class DataBackup extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        target: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    run(): Promise<void>;
}
