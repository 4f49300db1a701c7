/** Flags that set options of a driver. */
export interface DriverFlags {
    readonly command?: string | undefined;
    readonly 'exec-timeout'?: string | undefined;
    readonly delay?: string | undefined;
    readonly 'failure-rate'?: string | undefined;
    readonly seed?: string | undefined;
    readonly option?: readonly string[] | undefined;
}
/** The options of a driver by name: those with a flag of their own, and `--option key=value`. Throws `usage`. */
export declare function driverOptions(flags: DriverFlags): Record<string, string>;
/** An event of the phone on one line, for people: its name, then its facts. */
export declare function phoneLine(event: Readonly<Record<string, unknown>> & {
    time: string;
}): string;
