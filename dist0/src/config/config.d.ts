import { type ConnectionLimits } from '../domain/limits.js';
/** How a relay is set up. */
export interface RelaySettings {
    /** Directory of the embedded store; created when it is not there. */
    readonly dataDir: string;
    /** @default '127.0.0.1' */
    readonly host?: string | undefined;
    /** 0 picks a free one. @default 8080 */
    readonly port?: number | undefined;
    /** Public address, for links behind a proxy. @default the address a request was sent to */
    readonly baseUrl?: string | undefined;
    /** Settles messages to test numbers without a phone. @default false */
    readonly sandbox?: boolean | undefined;
    /** Seconds a phone may keep a message before it reports. @default 120 */
    readonly lease?: number | undefined;
    /** Seconds a token lives after the last request that used it. @default 28800 */
    readonly tokenLifetime?: number | undefined;
    /**
     * Whether a proxy in front says in `X-Forwarded-For` whom a request is from; nobody may reach the service around it.
     * @default false
     */
    readonly trustProxy?: boolean | undefined;
    /** What one client may take of the connections; whatever is left out has its default. Times in milliseconds. */
    readonly limits?: Partial<ConnectionLimits> | undefined;
}
/** Checked settings; times in milliseconds. */
export interface Config {
    readonly dataDir: string;
    readonly host: string;
    readonly port: number;
    readonly baseUrl: string | undefined;
    readonly sandbox: boolean;
    readonly lease: number;
    readonly tokenLifetime: number;
    readonly trustProxy: boolean;
    readonly limits: ConnectionLimits;
}
/** Checks settings and fills in what was left out. Throws `usage`. */
export declare function toConfig(settings: RelaySettings): Config;
