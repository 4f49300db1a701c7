import type { CallOptions } from '../client/relay-client.js';
import type { BlocklistFields } from '../contract/blocklist.js';
import { type Closable, type Opener } from './administer.js';
import { ApiCommand } from './api-command.js';
import type { ConnectionFlags } from './connection.js';
/** A Do Not Text list, wherever it is. */
export interface Blocklist {
    listBlocked(options: CallOptions): Promise<BlocklistFields[]>;
    addBlocked(number: string, options: CallOptions): Promise<BlocklistFields>;
    removeBlocked(number: string, options: CallOptions): Promise<BlocklistFields>;
}
interface BlocklistFlags extends ConnectionFlags {
    readonly service: boolean;
    readonly data?: string | undefined;
}
/** A command on a Do Not Text list: the account's through the relay, the service's on its data directory. */
export declare abstract class BlocklistCommand extends ApiCommand {
    static baseFlags: {
        json: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        profile: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        help: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        url: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'secret-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'api-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'app-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        timeout: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        service: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        data: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    /** Does something with the list these flags name. */
    protected onList<T>(flags: BlocklistFlags, open: Opener<Blocklist & Closable>, use: (list: Blocklist) => Promise<T>): Promise<T>;
    private fromEnvironment;
}
export {};
