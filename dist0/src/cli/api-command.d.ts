import type { CallOptions, RelayClient } from '../client/relay-client.js';
import { BaseCommand } from './base-command.js';
import { type ConnectionFlags, type KeyKind } from './connection.js';
/** A command that talks to a relay. */
export declare abstract class ApiCommand extends BaseCommand {
    static baseFlags: {
        json: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        profile: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        help: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        url: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'secret-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'api-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        'app-key': import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        timeout: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    };
    /** What every call is given, so that Ctrl-C ends it. */
    protected get call(): CallOptions;
    /** A client of the relay the flags, the environment or the profile name. Throws `usage`. */
    protected client(flags: ConnectionFlags, kinds?: readonly KeyKind[]): Promise<RelayClient>;
}
