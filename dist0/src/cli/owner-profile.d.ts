import type { NewAccount } from '../contract/account.js';
/**
 * Saves the owner's keys as this machine's default profile, so that every command works at once; a default
 * profile of another relay is left alone, unless `wanted` names it. Resolves to the name it was saved under.
 */
export declare function saveOwner(account: NewAccount, url: string, wanted?: string): Promise<string>;
/** Mends the address in the profiles of accounts whose service listens elsewhere than last time. */
export declare function followAddress(secretKeys: readonly string[], url: string): Promise<void>;
