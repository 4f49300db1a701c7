/** How a hit is made: flags that creating, editing and listening share. */
export declare const hitFlags: {
    method: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
    post: import("@oclif/core/interfaces").BooleanFlag<boolean>;
};
/** The part of a subscription these flags name. */
export declare function hitOf(flags: {
    readonly method?: string | undefined;
    readonly post?: boolean | undefined;
}): {
    method?: string;
    post?: boolean;
};
