import { ApiCommand } from '../../src/cli/api-command.js';
export default class HookCreate extends ApiCommand {
    static summary: string;
    static examples: string[];
    static args: {
        event: import("@oclif/core/interfaces").Arg<string | undefined>;
        url: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        method: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        post: import("@oclif/core/interfaces").BooleanFlag<boolean>;
    };
    run(): Promise<void>;
}
