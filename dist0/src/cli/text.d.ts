/** Text that cannot steer a terminal: without escape sequences, control characters but line feeds, and reordering marks. */
export declare function clean(text: string): string;
/** {@link clean} text on one line. */
export declare function oneLine(text: string): string;
/** Columns a cleaned text takes on a terminal. */
export declare function columnsOf(text: string): number;
/** The text cut to so many columns, with an ellipsis where something was cut. */
export declare function cut(text: string, columns: number): string;
/** Lines of aligned columns under a heading; the last column is cut to fit `columns` where given. */
export declare function table(head: readonly string[], rows: readonly (readonly string[])[], columns?: number): string;
/** Lines of `name  value`, with the values aligned; a value of several lines keeps them. */
export declare function fields(values: Readonly<Record<string, string | number | boolean>>): string;
