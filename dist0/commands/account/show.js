import { accountView } from '../../src/cli/account-views.js';
import { AdminCommand } from '../../src/cli/admin-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { openAdministration } from '../../src/relay.js';
export default class AccountShow extends AdminCommand {
    static summary = 'Show an account with the keys that can be shown.';
    static description = 'Of the API key only a hash is kept: `account rotate` makes a new one.';
    static examples = ['<%= config.bin %> account show ann@example.com'];
    static args = { email: neededArgument('E-mail address of the account.') };
    async run() {
        const { args, flags } = await this.parse(AccountShow);
        const email = await this.need(args.email, { name: 'EMAIL', message: 'E-mail address' });
        const account = await this.administer(openAdministration, flags.data, admin => admin.showAccount(email));
        this.show(account, accountView);
    }
}
