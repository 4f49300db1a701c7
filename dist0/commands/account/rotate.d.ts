import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountRotate extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        email: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        key: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
