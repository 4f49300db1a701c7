import { ApiCommand } from '../../src/cli/api-command.js';
export default class TokenIssue extends ApiCommand {
    #private;
    static summary: string;
    static description: string;
    static examples: string[];
    static flags: {
        app: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        login: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
