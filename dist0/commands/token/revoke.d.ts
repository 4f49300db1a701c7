import { ApiCommand } from '../../src/cli/api-command.js';
export default class TokenRevoke extends ApiCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    static args: {
        token: import("@oclif/core/interfaces").Arg<string | undefined>;
    };
    run(): Promise<void>;
}
