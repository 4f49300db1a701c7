/** Milliseconds of `30s`, `500ms`, `2m`, `1h`; a bare number is seconds. Throws `usage`. */
export declare function duration(name: string, text: string): number;
/** An integer of a range. Throws `usage`. */
export declare function integer(name: string, text: string, least: number, most: number): number;
/** A number of a range. Throws `usage`. */
export declare function number(name: string, text: string, least: number, most: number): number;
/**
 * A time as the interface wants it, UTC `YYYY-MM-DD HH:MM:SS`, from that form or from ISO 8601 with its zone.
 * Throws `usage`.
 */
export declare function utcTime(name: string, text: string): string;
/** An address of http or https without a login, a query and a slash at its end. Throws `usage`. */
export declare function baseAddress(name: string, text: string): string;
