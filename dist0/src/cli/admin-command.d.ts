import { type Closable, type Opener } from './administer.js';
import { BaseCommand } from './base-command.js';
/** The flag that names a data directory. */
export declare const dataFlag: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
/** A command on a data directory, for someone who may read it. */
export declare abstract class AdminCommand extends BaseCommand {
    static baseFlags: {
        json: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        profile: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        help: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        data: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    /** Opens a data directory, uses it and lets go of it. */
    protected administer<A extends Closable, T>(open: Opener<A>, data: string | undefined, use: (administration: A) => Promise<T>): Promise<T>;
}
