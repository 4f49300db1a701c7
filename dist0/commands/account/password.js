import { boolean } from '@oclif/core/flags';
import { AdminCommand } from '../../src/cli/admin-command.js';
import { neededArgument } from '../../src/cli/arguments.js';
import { readPassword } from '../../src/cli/password.js';
import { fields } from '../../src/cli/text.js';
import { openAdministration } from '../../src/relay.js';
export default class AccountPassword extends AdminCommand {
    static summary = 'Set the password of an account.';
    static description = 'The password is that of SMSRELAY_PASSWORD, or asked for, or piped in; --random makes one and prints it. ' +
        'Everyone who is logged in is logged out.';
    static examples = [
        '<%= config.bin %> account password ann@example.com',
        '<%= config.bin %> account password ann@example.com --random --json',
    ];
    static args = { email: neededArgument('E-mail address of the account.') };
    static flags = {
        random: boolean({ description: 'Make a random password and print it.' }),
    };
    async run() {
        const { args, flags } = await this.parse(AccountPassword);
        const email = await this.need(args.email, { name: 'EMAIL', message: 'E-mail address' });
        const chosen = flags.random ? undefined : await readPassword(this.io, this.json, true);
        const set = await this.administer(openAdministration, flags.data, admin => admin.setPassword(email, chosen));
        const shown = flags.random ? set : { email: set.email };
        this.show(shown, each => flags.random ? fields(each) : `The password of ${each.email} is set.`);
    }
}
