import { ApiCommand } from '../../src/cli/api-command.js';
export default class MessageGet extends ApiCommand {
    static summary: string;
    static examples: string[];
    static args: {
        id: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    run(): Promise<void>;
}
