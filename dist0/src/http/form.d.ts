/** The fields of an application/x-www-form-urlencoded text. Throws `invalid_request` for a malformed or repeated one. */
export declare function parseForm(text: string): Record<string, string>;
/** Sets a field of a form. Throws `invalid_request` when it was set before. */
export declare function setOnce(fields: Record<string, string>, name: string, value: string): void;
