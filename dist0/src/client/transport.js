import ky, { HTTPError, TimeoutError } from 'ky';
import { parseReply } from '../contract/parse.js';
import { errorReply, tokenReply } from '../contract/user.js';
import { errorCodes, isRelayError, RelayError } from '../errors.js';
/** Requests to a relay over ky: holds the token, renews it when it is refused, and turns replies into values or {@link RelayError}s. */
export class Transport {
    url;
    #ky;
    #options;
    #token;
    constructor(options) {
        this.url = options.url.replace(/\/+$/, '');
        this.#options = options;
        this.#token = options.token === undefined ? undefined : Promise.resolve(options.token);
        this.#ky = ky.create({
            timeout: options.timeout ?? 30_000,
            ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
        });
    }
    /** Calls a path under `/api/1` and checks the reply. Throws RelayError. */
    async call(method, path, schema, call = {}) {
        const token = await this.token(call.signal);
        try {
            return await this.#send(method, `/api/1${path}`, schema, bearer(token), call);
        }
        catch (error) {
            if (!isRelayError(error, 'invalid_token') || 'token' in this.#options.credentials)
                throw error;
            if ((await this.#token) === token)
                this.#token = undefined;
            const renewed = await this.token(call.signal);
            return await this.#send(method, `/api/1${path}`, schema, bearer(renewed), call);
        }
    }
    /** The token in use, issued when there is none yet. Throws RelayError `invalid_client`. */
    async token(signal) {
        const { credentials } = this.#options;
        if ('token' in credentials)
            return credentials.token;
        this.#token ??= this.#renew(signal);
        try {
            return await this.#token;
        }
        catch (error) {
            this.#token = undefined;
            throw error;
        }
    }
    async #renew(signal) {
        const { access_token: token } = await this.issue(signal);
        await this.#options.onToken?.(token);
        return token;
    }
    /** Issues a new token (SPEC.md section 4.1). Throws RelayError `invalid_client`. */
    async issue(signal) {
        const { credentials } = this.#options;
        if ('token' in credentials) {
            throw new RelayError('invalid_client', 'A token cannot issue another token; keys are needed.');
        }
        const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
        return await this.#send('GET', '/oauth', tokenReply, `Basic ${pair}`, { signal });
    }
    /** Calls any path without a token and checks the reply. Throws RelayError. */
    async open(method, path, schema, call = {}) {
        return await this.#send(method, path, schema, undefined, call);
    }
    async #send(method, path, schema, authorization, call) {
        try {
            const response = await this.#ky(`${this.url}${path}`, this.#request(method, authorization, call));
            return parseReply(schema, await response.json());
        }
        catch (error) {
            throw await toRelayError(error, this.url, call.signal);
        }
    }
    #request(method, authorization, call) {
        const repeatable = call.repeatable ?? !['POST', 'PATCH', 'DELETE'].includes(method);
        const limit = repeatable ? (this.#options.retries ?? 2) : 0;
        return {
            method,
            headers: { ...call.headers, ...(authorization === undefined ? {} : { authorization }) },
            retry: { limit, methods: [method.toLowerCase()], statusCodes: [502, 503, 504] },
            ...(call.json === undefined ? {} : { json: call.json }),
            ...(call.query === undefined ? {} : { searchParams: call.query }),
            ...(call.signal === undefined ? {} : { signal: call.signal }),
            ...(call.timeout === undefined ? {} : { timeout: call.timeout }),
        };
    }
}
function bearer(token) {
    return `Bearer ${token}`;
}
async function toRelayError(error, url, signal) {
    if (error instanceof RelayError || signal?.aborted === true)
        return error;
    if (error instanceof HTTPError)
        return await refused(error.response);
    if (error instanceof TimeoutError) {
        return new RelayError('timed_out', `The relay at ${url} did not answer in time.`);
    }
    if (error instanceof SyntaxError) {
        return new RelayError('invalid_reply', `The answer of ${url} is not JSON.`, {
            hint: 'Check that the address is that of a relay.',
        });
    }
    return new RelayError('unreachable', `The relay at ${url} could not be reached (${reason(error)}).`, {
        hint: 'Check the address, and that the service is running (smsrelay serve).',
        cause: error,
    });
}
async function refused(response) {
    const body = errorReply.safeParse(await response.json().catch(() => undefined));
    if (!body.success) {
        return new RelayError('invalid_reply', `The relay answered with HTTP status ${response.status}.`);
    }
    const code = body.data.error;
    const known = Object.hasOwn(errorCodes, code) ? code : 'invalid_reply';
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    const options = Number.isFinite(retryAfter) ? { retryAfter } : {};
    return new RelayError(known, body.data.error_description, options);
}
function reason(error) {
    if (!(error instanceof Error))
        return String(error);
    const cause = error.cause;
    return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
