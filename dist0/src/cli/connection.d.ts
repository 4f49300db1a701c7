/** What flags and environment say on how to reach a relay. */
export interface ConnectionFlags {
    readonly profile?: string | undefined;
    readonly url?: string | undefined;
    readonly 'secret-key'?: string | undefined;
    readonly 'api-key'?: string | undefined;
    readonly 'app-key'?: string | undefined;
    readonly timeout?: string | undefined;
}
/** Which key a command signs in with, next to the secret key. */
export type KeyKind = 'api' | 'app';
/** How to reach a relay: its address, and a key pair. */
export interface Connection {
    readonly url: string;
    readonly credentials: {
        readonly user: string;
        readonly password: string;
    };
    /** Milliseconds a request may take. */
    readonly timeout?: number;
}
/** The name of the profile in use. */
export declare function profileName(flags: ConnectionFlags): string;
/** The address and keys to use: flags, then environment (both in `flags`), then the profile. Throws `usage`. */
export declare function resolveConnection(flags: ConnectionFlags, env: Readonly<Record<string, string | undefined>>, kinds?: readonly KeyKind[]): Promise<Connection>;
/** The address of the relay alone, for what needs no keys. Throws `usage`. */
export declare function resolveUrl(flags: ConnectionFlags, env: Readonly<Record<string, string | undefined>>): Promise<string>;
/** The milliseconds of `--timeout`, at least 1. Throws `usage`. */
export declare function timeoutOf(text: string): number;
