import { AdminCommand } from '../../src/cli/admin-command.js';
export default class AccountList extends AdminCommand {
    static summary: string;
    static examples: string[];
    run(): Promise<void>;
}
