import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRelayError, RelayError } from '../errors.js';
import { decodeCheckedLine, encodeCheckedLine } from '../util/checked-line.js';
import { lockDirectory } from '../util/directory-lock.js';
import { replaceFile } from '../util/replace-file.js';
import { digest } from '../util/secrets.js';
import { AttemptBook } from './attempt-book.js';
import { Attempts } from './journal.js';
import { decodeJournal, encodeJournal } from './journal-format.js';
import { cannotWrite, JournalLog, reason } from './journal-log.js';
const neverEnded = 'The phone stopped while it was sending this message; it is not known whether it was sent.';
/** A short name for the journal of one account on one relay, which tells neither. */
export function journalName(url, secretKey) {
    return digest(JSON.stringify([url, secretKey])).slice(0, 12);
}
/**
 * Opens a journal, for this process alone. An attempt that was begun and never came to an end has the outcome
 * `unknown`. Throws `directory_in_use`, `configuration` and `damaged_data`.
 */
export async function openFileJournal(directory, options) {
    const lock = await lockJournal(directory);
    try {
        return await open(directory, options, lock);
    }
    catch (error) {
        await lock.release();
        throw error;
    }
}
async function open(directory, { credentials, warn = () => { }, most, compactAfter = 512 * 1024 }, lock) {
    const path = join(directory, 'journal');
    const owner = digest(credentials.user);
    const found = await load(path, owner, most);
    if (found.torn > 0) {
        warn(`${path} ended in ${found.torn} bytes of an unfinished line, which were cut off.`);
    }
    const { book } = found;
    const log = new JournalLog({ path, owner, book, warn, compactAfter }, found.length);
    const attempts = new Attempts(book, log);
    const left = [...new Set([...book.open()].map(each => each.worker))];
    for (const { key, outcome } of [...book.open()]) {
        const unknown = { result: 'unknown', error: neverEnded };
        if (outcome === undefined)
            book.apply({ do: 'end', key, outcome: unknown });
    }
    const tokens = tokenFiles(directory, digest(`${credentials.user}:${credentials.password}`));
    return {
        worker: worker => attempts.worker(worker),
        left: () => left,
        token: tokens.read,
        keepToken: async (worker, token) => {
            await tokens.write(worker, token).catch(error => warn(cannotWrite(directory, error).message));
        },
        async [Symbol.asyncDispose]() {
            await log.close();
            await lock.release();
        },
    };
}
/** The journal of this owner; a new one where there is none, or one of somebody else that is of no use any more. */
async function load(path, owner, most) {
    const book = new AttemptBook(most);
    const bytes = await readIfThere(path);
    const found = bytes === undefined ? undefined : decodeJournal(path, bytes, book);
    if (found?.owner === owner)
        return found;
    if (found !== undefined && [...book.open()].length > 0) {
        throw new RelayError('configuration', `${path} holds outcomes of another account that its relay does not know yet.`, { hint: 'Choose another directory with --journal, or move that file away.' });
    }
    const empty = new AttemptBook(most);
    const content = encodeJournal(owner, empty);
    await replaceFile(path, content);
    return { owner, book: empty, length: Buffer.byteLength(content), torn: 0 };
}
/** The tokens of the loops, a file each; one that was issued for other keys does not count. */
function tokenFiles(directory, keys) {
    const pathOf = (worker) => join(directory, `token-${worker}`);
    return {
        read: async (worker) => {
            const bytes = await readIfThere(pathOf(worker));
            const kept = bytes && decodeCheckedLine(bytes.subarray(0, -1));
            return kept?.keys === keys ? kept.token : undefined;
        },
        write: async (worker, token) => {
            await replaceFile(pathOf(worker), encodeCheckedLine({ token, keys }));
        },
    };
}
async function readIfThere(path) {
    try {
        return await readFile(path);
    }
    catch (cause) {
        if (cause.code === 'ENOENT')
            return undefined;
        throw new RelayError('configuration', `${path} cannot be read (${reason(cause)}).`, { cause });
    }
}
async function lockJournal(directory) {
    try {
        return await lockDirectory(directory);
    }
    catch (cause) {
        if (isRelayError(cause, 'directory_in_use')) {
            throw new RelayError('directory_in_use', `Another phone uses the journal ${directory}.`, {
                hint: 'Stop it, let it work on more at a time with --concurrency, or give this one another --journal.',
                cause,
            });
        }
        if (!isRelayError(cause, 'configuration'))
            throw cause;
        const why = cause.cause === undefined ? 'its path is too long' : reason(cause.cause);
        throw new RelayError('configuration', `The journal ${directory} cannot be used (${why}).`, {
            hint: 'Choose another directory with --journal, or do without one with --no-journal.',
            cause,
        });
    }
}
