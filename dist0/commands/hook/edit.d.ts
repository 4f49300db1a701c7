import { ApiCommand } from '../../src/cli/api-command.js';
export default class HookEdit extends ApiCommand {
    static summary: string;
    static examples: string[];
    static args: {
        id: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        method: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        post: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        to: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        event: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
