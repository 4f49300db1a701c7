import { ApiCommand } from '../src/cli/api-command.js';
export default class Login extends ApiCommand {
    #private;
    static summary: string;
    static description: string;
    static examples: string[];
    run(): Promise<void>;
}
