import { ApiCommand } from '../../src/cli/api-command.js';
export default class MessageEdit extends ApiCommand {
    static summary: string;
    static examples: string[];
    static args: {
        id: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        to: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        text: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        at: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
