import { isRelayError, RelayError } from '../errors.js';
import { timeoutOf } from './connection.js';
/** Checks every key of a profile with its relay, and adds the account's e-mail address. Throws `invalid_client`. */
export async function checkProfile(profile, flags, signal) {
    const keys = [profile.api_key, profile.app_key].filter(key => key !== undefined);
    if (keys.length === 0) {
        throw new RelayError('usage', 'An API key or an application key is needed.');
    }
    const { RelayClient } = await import('../client/relay-client.js');
    const timeout = flags.timeout === undefined ? {} : { timeout: timeoutOf(flags.timeout) };
    let email;
    for (const password of keys) {
        const credentials = { user: profile.secret_key, password };
        const client = new RelayClient({ url: profile.url, credentials, ...timeout });
        email ??= (await identify(client, signal)).email;
    }
    return { ...profile, email };
}
/** Signs in, asks who that is, and signs out again. Throws `invalid_client`. */
export async function identify(client, signal) {
    const { RelayClient } = await import('../client/relay-client.js');
    const { access_token: token, scope } = await client.issueToken({ signal });
    const session = new RelayClient({ url: client.url, credentials: { token } });
    try {
        return { ...(await session.getUser({ signal })), scope };
    }
    catch (error) {
        if (isRelayError(error, 'insufficient_scope'))
            return { scope };
        throw error;
    }
    finally {
        await session.revokeToken(token, { signal }).catch(() => undefined);
    }
}
