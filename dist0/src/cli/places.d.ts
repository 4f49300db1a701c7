type Env = Readonly<Record<string, string | undefined>>;
/** Where the service keeps its data unless told: SMSRELAY_DATA_DIR, else the user's own data directory. */
export declare function defaultDataDir(env?: Env, platform?: NodeJS.Platform): string;
/** Where profiles are kept: SMSRELAY_CONFIG_DIR, else the user's own configuration directory. */
export declare function configDir(env?: Env, platform?: NodeJS.Platform): string;
/** Where a phone keeps its journal unless told: a directory for each name, in the user's own state directory. */
export declare function defaultJournalDir(name: string, env?: Env, platform?: NodeJS.Platform): string;
export {};
