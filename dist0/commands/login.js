import { ApiCommand } from '../src/cli/api-command.js';
import { profileName } from '../src/cli/connection.js';
import { checkProfile } from '../src/cli/login.js';
import { configDir } from '../src/cli/places.js';
import { saveProfile } from '../src/cli/profile.js';
import { ask, canAsk } from '../src/cli/prompt.js';
import { baseAddress } from '../src/cli/values.js';
export default class Login extends ApiCommand {
    static summary = 'Save a relay and the keys of an account as a profile.';
    static description = 'The keys are checked with the relay and saved in a file that only you may read. ' +
        'Give the keys through the environment where no terminal is there to ask.';
    static examples = [
        '<%= config.bin %> login',
        '<%= config.bin %> login --profile work --url https://sms.example.com',
    ];
    async run() {
        const { flags } = await this.parse(Login);
        const url = await this.need(flags.url, {
            name: '--url',
            message: 'Address of the relay',
            default: 'http://127.0.0.1:8080',
        });
        baseAddress('--url', url);
        const secret = await this.need(flags['secret-key'], {
            name: '--secret-key',
            message: 'Secret key',
            secret: true,
        });
        const asks = flags['api-key'] === undefined && flags['app-key'] === undefined;
        const api = asks ? await this.#apiKey() : flags['api-key'];
        const app = flags['app-key'] ?? (asks && canAsk(this.io, this.json) ? await this.#appKey() : undefined);
        const keys = { secret_key: secret, api_key: filled(api), app_key: filled(app) };
        const profile = await checkProfile({ url: baseAddress('--url', url), ...keys }, flags, this.signal);
        const name = profileName(flags);
        await saveProfile(name, profile, configDir(this.io.env));
        const shown = { profile: name, url: profile.url, email: profile.email ?? null };
        this.show(shown, () => `Logged in to ${profile.url} as ${profile.email ?? 'a phone'} (profile ${name}).`);
    }
    async #apiKey() {
        return await this.need(undefined, {
            name: '--api-key',
            message: 'API key (empty for a phone)',
            secret: true,
            optional: true,
            hint: 'Set SMSRELAY_API_KEY, or SMSRELAY_APP_KEY for a phone.',
        });
    }
    async #appKey() {
        const question = { name: '--app-key', message: 'Application key (empty for none)' };
        return await ask({ ...question, secret: true, optional: true }, this.io);
    }
}
function filled(key) {
    return key === '' ? undefined : key;
}
