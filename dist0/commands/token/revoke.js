import { ApiCommand } from '../../src/cli/api-command.js';
import { optionalArgument } from '../../src/cli/arguments.js';
import { resolveUrl, timeoutOf } from '../../src/cli/connection.js';
import { readPiped } from '../../src/cli/stdin.js';
export default class TokenRevoke extends ApiCommand {
    static summary = 'End an access token.';
    static description = 'Pipe the token in where others can list your processes.';
    static examples = [
        '<%= config.bin %> token revoke TOKEN',
        'echo "$TOKEN" | <%= config.bin %> token revoke',
    ];
    static args = {
        token: optionalArgument('The token; "-" or nothing reads it from a pipe.'),
    };
    async run() {
        const { args, flags } = await this.parse(TokenRevoke);
        const url = await resolveUrl(flags, this.io.env);
        const piped = (await readPiped(args.token, this.io.stdin))?.trim();
        const token = await this.need(piped, { name: 'TOKEN', message: 'Token', secret: true });
        const { RelayClient } = await import('../../src/client/relay-client.js');
        const timeout = flags.timeout === undefined ? {} : { timeout: timeoutOf(flags.timeout) };
        const client = new RelayClient({ url, credentials: { token }, ...timeout });
        await client.revokeToken(token, this.call);
        this.show({ revoked: true }, () => 'The token has ended.');
    }
}
