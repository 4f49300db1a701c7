import { ApiCommand } from '../src/cli/api-command.js';
import { profileName } from '../src/cli/connection.js';
import { identify } from '../src/cli/login.js';
import { fields } from '../src/cli/text.js';
export default class Whoami extends ApiCommand {
    static summary = 'Show the relay and the account in use.';
    static examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --json'];
    async run() {
        const { flags } = await this.parse(Whoami);
        const client = await this.client(flags);
        const { email, scope } = await identify(client, this.signal);
        const shown = { email: email ?? null, url: client.url, scope, profile: profileName(flags) };
        this.show(shown, who => fields({ ...who, email: email ?? '(not shown to an application key)' }));
    }
}
