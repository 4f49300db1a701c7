import { createInterface } from 'node:readline';
import { RelayError } from '../errors.js';
/** The values of a stream with a line of JSON each; empty lines are skipped. Throws `invalid_parameter`. */
export async function* readJsonLines(stdin) {
    let number = 0;
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
        number += 1;
        if (line.trim() !== '')
            yield parseLine(line, number);
    }
}
function parseLine(line, number) {
    try {
        return JSON.parse(line);
    }
    catch {
        throw new RelayError('invalid_parameter', `Line ${number} is not JSON.`);
    }
}
