import { ApiCommand } from '../../src/cli/api-command.js';
export default class HookList extends ApiCommand {
    static summary: string;
    static examples: string[];
    run(): Promise<void>;
}
