import type { IncomingMessage } from 'node:http';
/** The fields of a request's body; values of forms are strings. */
export type Fields = Readonly<Record<string, unknown>>;
/**
 * Reads a body of at most `most` bytes as form, multipart or JSON. Throws `unsupported_media_type`,
 * `payload_too_large` and `invalid_request` (README: request bodies).
 */
export declare function readFields(request: IncomingMessage, most?: number): Promise<Fields>;
/** A value that may be an object or the JSON text of one. Throws `invalid_parameter`. */
export declare function objectField(fields: Fields, name: string): unknown;
