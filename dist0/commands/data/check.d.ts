import { AdminCommand } from '../../src/cli/admin-command.js';
export default class DataCheck extends AdminCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    run(): Promise<void>;
}
