import { accountFlags, accountSettings } from '../../src/cli/account-flags.js';
import { accountView } from '../../src/cli/account-views.js';
import { AdminCommand } from '../../src/cli/admin-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { RelayError } from '../../src/errors.js';
import { openAdministration } from '../../src/relay.js';
export default class AccountSet extends AdminCommand {
    static summary = 'Change the settings of an account.';
    static examples = ['<%= config.bin %> account set ann@example.com --mode at-most-once'];
    static args = { email: neededArgument('E-mail address of the account.') };
    static flags = accountFlags;
    async run() {
        const { args, flags } = await this.parse(AccountSet);
        const settings = accountSettings(flags);
        if (Object.keys(settings).length === 0) {
            throw new RelayError('usage', 'There is nothing to set.', {
                hint: 'Give --country or --mode.',
            });
        }
        const email = await this.need(args.email, { name: 'EMAIL', message: 'E-mail address' });
        const account = await this.administer(openAdministration, flags.data, admin => admin.changeAccount(email, settings));
        this.show(account, accountView);
    }
}
