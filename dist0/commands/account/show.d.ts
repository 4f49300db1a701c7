import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountShow extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    run(): Promise<void>;
}
