/** The fields of a multipart/form-data body (RFC 7578). Throws `invalid_request`. */
export declare function parseMultipart(bytes: Buffer, contentType: string): Promise<Record<string, string>>;
