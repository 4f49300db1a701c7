import { BaseCommand } from '../src/cli/base-command.js';
export default class Logout extends BaseCommand {
    static summary: string;
    static description: string;
    static examples: string[];
    run(): Promise<void>;
}
