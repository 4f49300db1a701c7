import type { AccountService } from '../services/accounts.js';
import type { BlocklistService } from '../services/blocklist.js';
import type { Administration } from './administration.js';
/** Administration by the process that holds the data directory. */
export declare function localAdministration(accounts: AccountService, blocklist: BlocklistService, close: () => Promise<void>): Administration;
