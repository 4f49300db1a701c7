import { ApiCommand } from '../../src/cli/api-command.js';
export default class MessageSend extends ApiCommand {
    #private;
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        destination: import("@oclif/core/interfaces").Arg<string | undefined>;
        text: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    static flags: {
        at: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        wait: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        timeout: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'idempotency-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    run(): Promise<void>;
}
