/** Every error code of the interface, with the condition it names (SPEC.md section 7 and the table of open details). */
export declare const errorCodes: {
    readonly not_a_message: 'the message does not exist or belongs to another user';
    readonly not_a_subscription: 'the subscription does not exist or belongs to another user';
    readonly not_an_account: 'the account does not exist';
    readonly invalid_parameter: 'a value is wrong';
    readonly invalid_request: 'something required is missing, or the request is malformed';
    readonly invalid_client: 'the credentials on /oauth are wrong or missing';
    readonly invalid_token: 'the bearer token is wrong, missing, expired or revoked';
    readonly insufficient_scope: 'the token is valid but may not do this';
    readonly invalid_state: 'the message is in a state that does not allow this';
    readonly not_found: 'there is nothing at this path';
    readonly method_not_allowed: 'the path does not know this method';
    readonly unsupported_media_type: 'the body is of a content type that is not understood';
    readonly payload_too_large: 'the body is too large';
    readonly too_many_requests: 'too many requests';
    readonly unavailable: 'the service cannot do this at present';
    readonly internal_error: 'the service failed';
    readonly timed_out: 'what was waited for did not happen in time';
    readonly unreachable: 'the relay could not be reached';
    readonly invalid_reply: 'the relay answered something that is not of the interface';
    readonly usage: 'the command was typed wrongly';
    readonly configuration: 'the settings contradict each other or are incomplete';
    readonly directory_in_use: 'another process holds the data directory';
    readonly damaged_data: 'the data directory holds something that cannot be read';
};
/** One of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;
/** Extra facts of a {@link RelayError}. */
export interface RelayErrorOptions {
    /** One sentence on what to do next. */
    hint?: string;
    cause?: unknown;
    /** Seconds after which the same call may succeed. */
    retryAfter?: number;
}
/** The one error this program throws on purpose: a code for programs and a sentence for people. */
export declare class RelayError extends Error {
    readonly name = "RelayError";
    readonly code: ErrorCode;
    readonly hint: string | undefined;
    readonly retryAfter: number | undefined;
    constructor(code: ErrorCode, message: string, options?: RelayErrorOptions);
}
/** Whether `error` is a {@link RelayError}, of that code where one is given. */
export declare function isRelayError(error: unknown, code?: ErrorCode): error is RelayError;
