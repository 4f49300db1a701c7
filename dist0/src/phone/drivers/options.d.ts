/** The options of a driver as they were typed. */
export type DriverOptions = Readonly<Record<string, string>>;
/** What a number option may be. */
export interface NumberOption {
    readonly least: number;
    readonly most: number;
    /** Said in the error, such as `seconds`. @default '' */
    readonly unit?: string;
    /** @default false */
    readonly whole?: boolean;
}
/** Reads a number option; undefined when it was not given. Throws `usage` that names the option and its range. */
export declare function numberOption(options: DriverOptions, name: string, { least, most, unit, whole }: NumberOption): number | undefined;
/** Reads an option that must be there. Throws `usage`. */
export declare function requiredOption(options: DriverOptions, name: string, example: string): string;
