import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountPassword extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        random: import("@oclif/core/interfaces").BooleanFlag<boolean>;
    };
    run(): Promise<void>;
}
