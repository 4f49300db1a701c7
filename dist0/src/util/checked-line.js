import { crc32 } from 'node:zlib';
/** A value as one line of a file: checksum (CRC-32, 8 hex digits), a space, JSON, a line feed. */
export function encodeCheckedLine(value) {
    const json = JSON.stringify(value);
    return `${checksum(json)} ${json}\n`;
}
/** The value of a line without its line feed; undefined when the checksum or the JSON is wrong. */
export function decodeCheckedLine(line) {
    if (line.length < 10 || line[8] !== 0x20)
        return undefined;
    const json = line.subarray(9);
    if (line.toString('latin1', 0, 8) !== checksum(json))
        return undefined;
    try {
        return JSON.parse(json.toString('utf8'));
    }
    catch {
        return undefined;
    }
}
function checksum(json) {
    return crc32(json).toString(16).padStart(8, '0');
}
