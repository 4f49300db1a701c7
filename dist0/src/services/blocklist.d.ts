import type { BlockEntry } from '../domain/account.js';
import type { ServiceContext } from './context.js';
/** Whose Do Not Text list, and the country in which its national numbers are read. */
export interface BlocklistScope {
    /** An account's id, or `*` for the whole service. */
    readonly scope: string;
    readonly country: string;
}
/** The Do Not Text lists: of the whole service and of each account. */
export declare class BlocklistService {
    #private;
    constructor(context: ServiceContext);
    /** The listed numbers. */
    list({ scope }: BlocklistScope): Promise<BlockEntry[]>;
    /** Lists a number and blocks what is waiting for it. Throws `invalid_parameter`. */
    add({ scope, country }: BlocklistScope, number: string): Promise<BlockEntry>;
    /** Takes a number off the list; messages that were blocked stay so. Throws `invalid_parameter`, `not_found`. */
    remove({ scope, country }: BlocklistScope, number: string): Promise<BlockEntry>;
}
