import { Busboy } from '@fastify/busboy';
import { isRelayError, RelayError } from '../errors.js';
import { setOnce } from './form.js';
const mostParts = 100;
/** The fields of a multipart/form-data body (RFC 7578). Throws `invalid_request`. */
export async function parseMultipart(bytes, contentType) {
    const fields = Object.create(null);
    try {
        await read(bytes, contentType, (name, value) => setOnce(fields, name, value));
    }
    catch (error) {
        if (isRelayError(error))
            throw error;
        throw new RelayError('invalid_request', 'The multipart/form-data body is malformed.');
    }
    return fields;
}
function read(bytes, contentType, onField) {
    return new Promise((resolve, reject) => {
        const headers = { 'content-type': contentType };
        const busboy = new Busboy({
            headers,
            limits: { files: 0, parts: mostParts, fieldSize: bytes.length },
        });
        busboy.on('field', (name, value) => {
            try {
                onField(name, value);
            }
            catch (error) {
                reject(error);
            }
        });
        busboy.on('partsLimit', () => reject(new RelayError('invalid_request', `The body must have at most ${mostParts} fields.`)));
        busboy.on('finish', resolve);
        busboy.on('error', reject);
        busboy.end(bytes);
    });
}
