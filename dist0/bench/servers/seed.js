// Child process: writes a data directory in the store's own format. Arguments: directory, amounts as JSON.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLine, formatVersion } from '../../src/store/lowdb/line.js';
import { writeSnapshot } from '../../src/store/lowdb/snapshot-file.js';
import { recordsOf } from './records.js';
/** About what one flush carries under load. */
const perLine = 20;
/** Writes a journal of that many bytes; the records are those of the snapshot again. */
function writeJournal(path, messages, bytes) {
    const file = openSync(path, 'wx', 0o600);
    let left = bytes;
    const write = (value) => {
        left -= writeSync(file, encodeLine(value));
    };
    write({ smsrelay: 'journal', format: formatVersion });
    let entries = [];
    for (const message of messages) {
        if (left <= 0)
            break;
        entries.push(['message', message.id, message]);
        if (entries.length < perLine)
            continue;
        write(entries);
        entries = [];
    }
    closeSync(file);
}
const [directory = '', text = '{}'] = process.argv.slice(2);
const amounts = JSON.parse(text);
const records = recordsOf(amounts, Date.now());
await writeSnapshot(join(directory, 'snapshot-000001.ndjson'), records);
if (amounts.journal !== undefined) {
    writeJournal(join(directory, 'journal-000001.ndjson'), records.message.values(), amounts.journal);
}
