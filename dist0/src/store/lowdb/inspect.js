import { applyEntry, emptyCollections, isKind, } from './collections.js';
import { filesToRead, findDataFiles } from './data-files.js';
import { forEachLine } from './journal-file.js';
import { decodeLine } from './line.js';
/** Reads everything in a data directory that is whole, and notes what is not. Changes nothing. */
export async function inspectData(directory) {
    const data = emptyCollections();
    const damages = [];
    const files = [];
    for (const { path, last } of filesToRead(await findDataFiles(directory))) {
        const { lines, bad } = await inspectFile(path, data);
        files.push({ path, lines });
        for (const { line, bytes } of bad) {
            const kind = last && line === lines ? 'torn' : 'damaged';
            damages.push({ path, line, kind, bytes });
        }
    }
    return { files, damages, data };
}
async function inspectFile(path, data) {
    const bad = [];
    let lines = 0;
    const rest = await forEachLine(path, line => {
        lines += 1;
        const value = decodeLine(line);
        if (value === undefined)
            bad.push({ line: lines, bytes: line.length });
        else if (lines > 1)
            applyEntries(data, value);
    });
    if (rest.length > 0)
        bad.push({ line: ++lines, bytes: rest.length });
    return { lines, bad };
}
/** Applies what a line says to the collections. */
export function applyEntries(data, value) {
    if (!Array.isArray(value))
        return;
    for (const entry of value)
        if (isKind(data, entry[0]))
            applyEntry(data, entry);
}
