import { replaceFileWith } from '../../util/replace-file.js';
import { encodeLine, formatVersion } from './line.js';
const chunkSize = 1 << 20;
/** Bytes after which written data is flushed, so that no flush is long and holds up the journal's. */
const flushEvery = 8 << 20;
const lineFeed = Buffer.from('\n');
/**
 * Writes a snapshot that is whole or not there. Its first line is the header, its last one the number of
 * lines between.
 */
export async function createSnapshot(path, fill) {
    await replaceFileWith(path, async (file) => {
        const writer = new SnapshotWriter(file);
        await fill(writer);
        await writer.finish();
    });
}
/** Writes the collections to a snapshot. */
export async function writeSnapshot(path, data) {
    await createSnapshot(path, async (writer) => {
        for (const kind of Object.keys(data)) {
            for (const [key, value] of data[kind]) {
                await writer.write(encodeLine([[kind, key, value]]));
            }
        }
    });
}
/** Collects lines into large writes, and flushes them now and then. */
export class SnapshotWriter {
    #file;
    #chunks = [
        Buffer.from(encodeLine({ smsrelay: 'snapshot', format: formatVersion })),
    ];
    #size = 0;
    #unflushed = 0;
    #lines = 0;
    constructor(file) {
        this.#file = file;
    }
    /** Adds a line: text with its line feed, or the bytes of one without, which must not change. */
    write(line) {
        this.#lines += 1;
        if (typeof line === 'string')
            this.#add(Buffer.from(line));
        else
            this.#add(line, lineFeed);
        return this.#size < chunkSize ? undefined : this.#flush();
    }
    /** Adds the last line and writes everything. */
    async finish() {
        this.#add(Buffer.from(encodeLine({ lines: this.#lines })));
        await this.#flush();
    }
    #add(...chunks) {
        this.#chunks.push(...chunks);
        for (const chunk of chunks)
            this.#size += chunk.length;
    }
    async #flush() {
        const bytes = Buffer.concat(this.#chunks);
        this.#chunks = [];
        this.#size = 0;
        await this.#file.appendFile(bytes);
        this.#unflushed += bytes.length;
        if (this.#unflushed < flushEvery)
            return;
        await this.#file.datasync();
        this.#unflushed = 0;
    }
}
