import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountSet extends AdminCommand {
    static summary: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        country: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        mode: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
