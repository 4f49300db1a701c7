import { digest } from '../util/secrets.js';
import { AttemptBook } from './attempt-book.js';
/** A {@link Journal} that remembers what was sent, up to `most` messages; loops in one process share it. */
export function memoryJournal(most) {
    const nothing = async () => { };
    return new Attempts(new AttemptBook(most), { must: nothing, note: nothing }).worker(0);
}
/** The attempts of all loops of a phone: in a book, and noted in a {@link Notebook}. */
export class Attempts {
    #book;
    #notebook;
    #flights = new Map();
    constructor(book, notebook) {
        this.#book = book;
        this.#notebook = notebook;
    }
    /** The journal of one loop. */
    worker(worker) {
        return {
            unreported: () => this.#unreported(worker),
            begin: async (message, key) => await this.#begin(message, key, worker),
            record: async ({ key }, outcome) => {
                await this.#land(key, { do: 'end', key, outcome });
            },
            cancel: async ({ key }) => await this.#land(key, { do: 'cancel', key }),
            settle: async ({ key }) => await this.#note({ do: 'settle', key }, false),
        };
    }
    #unreported(worker) {
        return [...this.#book.open()].flatMap(({ id, key, outcome, worker: whose }) => whose !== worker || outcome === undefined ? [] : [{ id, key, outcome }]);
    }
    async #begin(message, key, worker) {
        const { id } = message;
        for (let flight = this.#flying(id); flight !== undefined; flight = this.#flying(id)) {
            await flight.landed;
        }
        const content = contentOf(message);
        const known = this.#book.known(id, content);
        if (known !== undefined)
            return known;
        // From the look at the book to here nothing is awaited: of two loops only one can get so far.
        this.#flights.set(key, flightOf(id));
        const note = { do: 'begin', key, id, content, worker };
        this.#book.apply(note);
        try {
            await this.#notebook.must(note);
            return undefined;
        }
        catch (error) {
            await this.#land(key, { do: 'cancel', key });
            throw error;
        }
    }
    #flying(id) {
        return [...this.#flights.values()].find(flight => flight.id === id);
    }
    async #land(key, note) {
        await this.#note(note, true);
        this.#flights.get(key)?.land();
        this.#flights.delete(key);
    }
    async #note(note, durable) {
        this.#book.apply(note);
        await this.#notebook.note(note, durable);
    }
}
function flightOf(id) {
    let land = () => { };
    const landed = new Promise(resolve => {
        land = resolve;
    });
    return { id, landed, land };
}
/** Tells whether a message is still the one that was sent, without keeping its text: it may have been edited. */
function contentOf({ destination, message }) {
    return digest(JSON.stringify([destination, message]));
}
