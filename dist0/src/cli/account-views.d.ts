import type { AccountFields, NewAccount } from '../contract/account.js';
import type { BlocklistFields } from '../contract/blocklist.js';
/** A new account with its keys, for people. */
export declare function newAccountView(account: NewAccount): string;
/** An account, for people. */
export declare function accountView(account: AccountFields): string;
/** Accounts one a line, for people. */
export declare function accountTable(accounts: readonly AccountFields[]): string;
/** Entries of a Do Not Text list one a line, for people. */
export declare function blocklistTable(entries: readonly BlocklistFields[]): string;
