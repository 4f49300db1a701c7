import { boolean } from '@oclif/core/flags';
import { accountFlags, accountSettings } from '../../src/cli/account-flags.js';
import { newAccountView } from '../../src/cli/account-views.js';
import { AdminCommand } from '../../src/cli/admin-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { readPassword } from '../../src/cli/password.js';
import { openAdministration } from '../../src/relay.js';
export default class AccountCreate extends AdminCommand {
    static summary = 'Create an account and print its keys, once.';
    static description = 'The password is a random one, or that of SMSRELAY_PASSWORD, or with --password asked for or piped in.';
    static examples = [
        '<%= config.bin %> account create ann@example.com',
        'echo "$PASSWORD" | <%= config.bin %> account create ann@example.com --password --country DE --json',
    ];
    static args = { email: neededArgument('E-mail address of the account.') };
    static flags = {
        password: boolean({ description: 'Ask for the password, or read it from a pipe.' }),
        ...accountFlags,
    };
    async run() {
        const { args, flags } = await this.parse(AccountCreate);
        const email = await this.need(args.email, { name: 'EMAIL', message: 'E-mail address' });
        const chosen = flags.password || (this.io.env.SMSRELAY_PASSWORD ?? '') !== '';
        const password = chosen ? { password: await readPassword(this.io, this.json, true) } : {};
        const draft = { email, ...password, ...accountSettings(flags) };
        const open = (dataDir) => openAdministration(dataDir, { create: true });
        const account = await this.administer(open, flags.data, admin => admin.createAccount(draft));
        this.show(account, newAccountView);
    }
}
