import { BaseCommand } from '../src/cli/base-command.js';
import { profileName } from '../src/cli/connection.js';
import { configDir } from '../src/cli/places.js';
import { removeProfile } from '../src/cli/profile.js';
export default class Logout extends BaseCommand {
    static summary = 'Forget a saved profile.';
    static description = 'The keys stay valid; `smsrelay account rotate` replaces them.';
    static examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --profile work'];
    async run() {
        const { flags } = await this.parse(Logout);
        const profile = profileName(flags);
        const removed = await removeProfile(profile, configDir(this.io.env));
        this.show({ profile, removed }, () => removed ? `Forgot the profile ${profile}.` : `There was no profile ${profile}.`);
    }
}
