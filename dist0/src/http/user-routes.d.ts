import type { BlocklistService } from '../services/blocklist.js';
import type { Routes } from './routes.js';
/** The user resource (SPEC.md section 4.4). */
export declare function userRoutes(): Routes;
/** The account's Do Not Text list (extension). */
export declare function blocklistRoutes(blocklist: BlocklistService): Routes;
