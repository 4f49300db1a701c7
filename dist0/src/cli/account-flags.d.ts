import type { DeliveryMode } from '../domain/report.js';
/** What can be set of an account. */
export declare const accountFlags: {
    country: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    mode: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
};
/** What these flags set. */
export declare function accountSettings(flags: {
    readonly country?: string | undefined;
    readonly mode?: string | undefined;
}): {
    country?: string;
    mode?: DeliveryMode;
};
