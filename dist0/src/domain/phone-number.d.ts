/** What becomes of a text to a test number (SPEC.md section 1). */
export type TestOutcome = 'success' | 'failure';
/**
 * The canonical form of a destination: E.164, or bare digits for short codes and test numbers; undefined
 * when it cannot be dialled. National numbers are read in `country` (ISO 3166 code).
 */
export declare function canonicalNumber(destination: string, country: string): string | undefined;
/** The fixed outcome of a test number, by its last seven digits; undefined for every other number (SPEC.md section 1). */
export declare function testOutcome(number: string): TestOutcome | undefined;
/** Whether `code` is an ISO 3166 country code whose numbers can be read. */
export declare function isCountry(code: string): boolean;
