import type { z } from 'zod';
import { type TokenReply } from '../contract/user.js';
/** How a client signs in: a key pair, an e-mail with its password, or a token that is there already. */
export type Credentials = {
    readonly user: string;
    readonly password: string;
} | {
    readonly token: string;
};
/** Options of a {@link Transport}. */
export interface TransportOptions {
    /** Base address of the relay, without `/api/1`. */
    readonly url: string;
    readonly credentials: Credentials;
    /** A token of an earlier client, used until it is refused; the next one is issued for the credentials. */
    readonly token?: string;
    /** Told of each token that is issued, before it is used; that it throws fails the call. */
    readonly onToken?: (token: string) => void | Promise<void>;
    /** @default globalThis.fetch */
    readonly fetch?: typeof fetch;
    /** Milliseconds a request may take. @default 30000 */
    readonly timeout?: number;
    /** How often a request that is safe to repeat is tried again. @default 2 */
    readonly retries?: number;
}
/** One call of the interface. */
export interface Call {
    readonly json?: unknown;
    readonly query?: Record<string, string>;
    readonly headers?: Record<string, string>;
    readonly signal?: AbortSignal | undefined;
    /** Milliseconds. */
    readonly timeout?: number;
    /** Whether a repeated request does no harm; every method but POST, PATCH and DELETE unless told. */
    readonly repeatable?: boolean;
}
/** Requests to a relay over ky: holds the token, renews it when it is refused, and turns replies into values or {@link RelayError}s. */
export declare class Transport {
    #private;
    readonly url: string;
    constructor(options: TransportOptions);
    /** Calls a path under `/api/1` and checks the reply. Throws RelayError. */
    call<T>(method: string, path: string, schema: z.ZodType<T>, call?: Call): Promise<T>;
    /** The token in use, issued when there is none yet. Throws RelayError `invalid_client`. */
    token(signal?: AbortSignal): Promise<string>;
    /** Issues a new token (SPEC.md section 4.1). Throws RelayError `invalid_client`. */
    issue(signal?: AbortSignal): Promise<TokenReply>;
    /** Calls any path without a token and checks the reply. Throws RelayError. */
    open<T>(method: string, path: string, schema: z.ZodType<T>, call?: Call): Promise<T>;
}
