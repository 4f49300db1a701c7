import { statusNames } from '../../domain/message.js';
const blockSize = 512;
const codes = Object.keys(statusNames);
const none = codes.length;
/**
 * The ids of one account's messages in order of creation, with counts of each status per block of
 * {@link blockSize}, so that a page of any filter is found without reading what lies before it.
 */
export class RankedList {
    #ids = [];
    #codes = [];
    #counts = codes.map(() => []);
    /** Adds an id at the end and returns its place. */
    append(id, status) {
        const place = this.#ids.length;
        this.#ids.push(undefined);
        this.#codes.push(none);
        if (place % blockSize === 0)
            for (const counts of this.#counts)
                counts.push(0);
        this.set(place, id, status);
        return place;
    }
    /** Puts an id with its status at a place. */
    set(place, id, status) {
        this.#count(place, -1);
        this.#ids[place] = id;
        this.#codes[place] = codes.indexOf(status);
        this.#count(place, 1);
    }
    /** Empties a place. */
    clear(place) {
        this.#count(place, -1);
        this.#ids[place] = undefined;
        this.#codes[place] = none;
    }
    /** Every id, in order. */
    ids() {
        return this.#ids.filter(id => id !== undefined);
    }
    /** At most `count` ids of those statuses, from the `start`-th on. */
    page(statuses, start, count, order) {
        const wanted = codes.map(code => statuses.includes(code));
        const blocks = Math.ceil(this.#ids.length / blockSize);
        const found = [];
        let skip = start;
        for (let step = 0; step < blocks && found.length < count; step += 1) {
            const block = order === 'asc' ? step : blocks - 1 - step;
            const inside = this.#sum(block, wanted);
            if (skip >= inside)
                skip -= inside;
            else
                skip = this.#scan(block, wanted, skip, count, order, found);
        }
        return found;
    }
    #scan(block, wanted, skip, count, order, found) {
        const first = block * blockSize;
        const size = Math.min(blockSize, this.#ids.length - first);
        let left = skip;
        for (let step = 0; step < size && found.length < count; step += 1) {
            const place = first + (order === 'asc' ? step : size - 1 - step);
            const id = this.#ids[place];
            if (id === undefined || wanted[this.#codes[place] ?? none] !== true)
                continue;
            if (left > 0)
                left -= 1;
            else
                found.push(id);
        }
        return left;
    }
    #sum(block, wanted) {
        let sum = 0;
        for (let code = 0; code < none; code += 1) {
            if (wanted[code] === true)
                sum += this.#counts[code]?.[block] ?? 0;
        }
        return sum;
    }
    #count(place, change) {
        const counts = this.#counts[this.#codes[place] ?? none];
        const block = Math.floor(place / blockSize);
        if (counts !== undefined)
            counts[block] = (counts[block] ?? 0) + change;
    }
}
