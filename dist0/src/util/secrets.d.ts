/** A random secret of 256 bits, base64url, behind a prefix that tells what it is. */
export declare function randomSecret(prefix?: string): string;
/** SHA-256 of a text, base64url. */
export declare function digest(text: string): string;
/** Whether two texts are equal, in a time that does not depend on where they differ. */
export declare function equalSecrets(a: string, b: string): boolean;
/** A password as it is kept: scrypt (RFC 7914) with its parameters and a random salt. */
export declare function hashPassword(password: string): Promise<string>;
/** Whether a password is the one that was kept. */
export declare function isPassword(password: string, kept: string): Promise<boolean>;
