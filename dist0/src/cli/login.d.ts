import type { RelayClient } from '../client/relay-client.js';
import { type ConnectionFlags } from './connection.js';
import type { Profile } from './profile.js';
/** Who a key pair belongs to, and what it may do. */
export interface Identity {
    /** Absent where the keys may not ask for it. */
    readonly email?: string;
    readonly scope: string;
}
/** Checks every key of a profile with its relay, and adds the account's e-mail address. Throws `invalid_client`. */
export declare function checkProfile(profile: Profile, flags: ConnectionFlags, signal: AbortSignal): Promise<Profile>;
/** Signs in, asks who that is, and signs out again. Throws `invalid_client`. */
export declare function identify(client: RelayClient, signal: AbortSignal): Promise<Identity>;
