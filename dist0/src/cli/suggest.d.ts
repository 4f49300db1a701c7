/** The nearest of `known`, where it is near enough to be what was meant. */
export declare function suggest(typed: string, known: readonly string[]): string | undefined;
/** Edits between two words (Levenshtein). */
export declare function distance(a: string, b: string): number;
