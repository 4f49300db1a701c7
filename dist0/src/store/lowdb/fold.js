import { forEachLine, readLines } from './journal-file.js';
import { decodeLine, encodeLine } from './line.js';
import { createSnapshot } from './snapshot-file.js';
/**
 * Folds journals into a new snapshot that is whole or not there: temporary file, fsync, rename, fsync of
 * the directory. Needs memory for what the journals changed only. Throws `damaged_data`.
 */
export async function fold(job) {
    const changes = await readChanges(job.journals);
    await createSnapshot(job.target, async (writer) => {
        await writeFolded(writer, job.snapshot, changes);
    });
}
async function readChanges(journals) {
    const lines = new Map();
    const moved = new Set();
    for (const path of journals) {
        await readLines(path, false, value => {
            for (const entry of value)
                note(entry, lines, moved);
        });
    }
    return { lines, moved };
}
function note(entry, lines, moved) {
    const key = recordKey(entry[0], entry[1]);
    const wasRemoved = lines.has(key) && lines.get(key) === undefined;
    if (wasRemoved && entry[2] !== null) {
        moved.add(key);
        lines.delete(key);
    }
    lines.set(key, entry[2] === null ? undefined : encodeLine([entry]));
}
async function writeFolded(writer, snapshot, { lines, moved }) {
    const kept = new Set();
    if (snapshot !== undefined) {
        await forEachRecord(snapshot, line => {
            const key = keyOfLine(line);
            if (!lines.has(key))
                return writer.write(line);
            if (moved.has(key))
                return undefined;
            kept.add(key);
            const changed = lines.get(key);
            return changed === undefined ? undefined : writer.write(changed);
        });
    }
    for (const [key, line] of lines) {
        if (!kept.has(key) && line !== undefined)
            await writer.write(line);
    }
}
/** Gives each line of a snapshot between its header and its trailer. */
async function forEachRecord(path, take) {
    let first = true;
    let held;
    await forEachLine(path, line => {
        const record = held;
        held = first ? undefined : Buffer.from(line);
        first = false;
        return record === undefined ? undefined : take(record);
    });
}
/** The key of a snapshot's line, without reading the whole of it where that can be helped. */
function keyOfLine(line) {
    const head = /^.{8} \[\["(\w+)","([^"\\]*)",/.exec(line.toString('latin1', 0, 200));
    if (head !== null && /^[\x20-\x7e]*$/.test(head[2] ?? ''))
        return recordKey(head[1] ?? '', head[2] ?? '');
    const [entry] = (decodeLine(line) ?? []);
    return entry === undefined ? '' : recordKey(entry[0], entry[1]);
}
function recordKey(kind, key) {
    return `${kind} ${key}`;
}
