import type { Account, TokenKind } from '../domain/account.js';
import type { ServiceContext } from './context.js';
/** A token as its holder gets it. */
export interface IssuedToken {
    readonly token: string;
    readonly kind: TokenKind;
    /** Seconds. */
    readonly expiresIn: number;
}
/** Who makes a request. */
export interface Caller {
    readonly account: Account;
    readonly kind: TokenKind;
    /** Identifier of the token, the holder of leases. */
    readonly holder: string;
}
/** Issues, checks, extends and ends tokens (SPEC.md section 5). */
export declare class TokenService {
    #private;
    /** @param lifetime milliseconds a token lives after the last request that used it */
    constructor(context: ServiceContext, lifetime: number);
    /**
     * Issues a token for a key pair, or for an e-mail address and its password. Throws `invalid_client`, and
     * `unavailable` when too many passwords wait to be checked.
     */
    issue(user: string, password: string): Promise<IssuedToken>;
    /** Whom a token stands for; extends its life. Throws `invalid_token`. */
    authenticate(secret: string): Promise<Caller>;
    /** Ends a token; one that does not exist is ended already (RFC 7009). */
    revoke(secret: string): Promise<void>;
    /** Forgets tokens that have expired. */
    sweep(): Promise<void>;
}
