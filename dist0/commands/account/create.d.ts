import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountCreate extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        country: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        mode: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        password: import("@oclif/core/interfaces").BooleanFlag<boolean>;
    };
    run(): Promise<void>;
}
