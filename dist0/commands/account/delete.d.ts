import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountDelete extends AdminCommand {
    #private;
    static summary: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        yes: import("@oclif/core/interfaces").BooleanFlag<boolean>;
    };
    run(): Promise<void>;
}
