import type { IncomingMessage } from 'node:http';
import type { Caller, TokenService } from '../services/tokens.js';
/** Who sends a request, by its bearer token (RFC 6750). Throws `invalid_token`. */
export declare function authenticate(tokens: TokenService, request: IncomingMessage): Promise<Caller>;
/** Refuses a token of the application key. Throws `insufficient_scope` (README: tokens). */
export declare function needFullScope(caller: Caller): void;
/** Refuses every token but one of the application key. Throws `insufficient_scope` (SPEC.md section 4.2). */
export declare function needAppKey(caller: Caller): void;
/** Refuses every token but one of a User Login. Throws `insufficient_scope` (SPEC.md section 5). */
export declare function needLogin(caller: Caller): void;
/** User and password of a Basic authorization (RFC 7617). Throws `invalid_client`. */
export declare function basicCredentials(request: IncomingMessage): {
    user: string;
    password: string;
};
