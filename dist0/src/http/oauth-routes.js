import { limits } from '../domain/limits.js';
import { RelayError } from '../errors.js';
import { basicCredentials } from './auth.js';
import { readFields } from './body.js';
const scopes = {
    api: '/api/1/*',
    app: '/api/1/message /api/1/message/*',
    login: '/api/1/*',
};
/** Issuing and revoking tokens (SPEC.md section 4.1). */
export function oauthRoutes(parts) {
    const { tokens } = parts;
    const revoke = async (token) => {
        if (typeof token !== 'string' || token === '') {
            throw new RelayError('invalid_request', '`token` is required: the token to revoke.');
        }
        await tokens.revoke(token);
        return {};
    };
    return {
        '/oauth': { GET: async (request, response) => await issue(parts, request, response) },
        '/oauth/revoke': {
            GET: async (request) => await revoke(request.query.token),
            POST: async (request) => await revoke((await readFields(request, limits.openBody)).token),
        },
    };
}
async function issue({ tokens, guard, remoteOf }, request, response) {
    const { user, password } = basicCredentials(request);
    const guesser = { address: remoteOf(request), name: user };
    const issued = await guard.attempt(guesser, async () => await tokens.issue(user, password));
    response.setHeader('Cache-Control', 'no-store');
    return {
        access_token: issued.token,
        token_type: 'Bearer',
        expires_in: issued.expiresIn,
        scope: scopes[issued.kind],
    };
}
