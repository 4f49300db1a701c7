/** A binary heap whose items can be moved and removed in O(log n). */
export class Heap {
    #items = [];
    #before;
    /** @param before whether `a` comes out before `b` */
    constructor(before) {
        this.#before = before;
    }
    get size() {
        return this.#items.length;
    }
    /** The first item. */
    peek() {
        return this.#items[0];
    }
    /** All items, in no order. */
    values() {
        return this.#items.values();
    }
    /** Adds an item, or puts it right after its order changed. */
    put(item) {
        if (item.place === -1) {
            item.place = this.#items.length;
            this.#items.push(item);
        }
        this.#up(item);
        this.#down(item);
    }
    /** Takes an item out. */
    remove(item) {
        if (item.place === -1)
            return;
        const place = item.place;
        const last = this.#items.pop();
        item.place = -1;
        if (last === item)
            return;
        this.#set(last, place);
        this.#up(last);
        this.#down(last);
    }
    #up(item) {
        while (item.place > 0) {
            const parent = this.#items[(item.place - 1) >> 1];
            if (!this.#before(item, parent))
                return;
            this.#swap(item, parent);
        }
    }
    #down(item) {
        for (;;) {
            const left = this.#items[item.place * 2 + 1];
            const right = this.#items[item.place * 2 + 2];
            const first = right !== undefined && left !== undefined && this.#before(right, left) ? right : left;
            if (first === undefined || !this.#before(first, item))
                return;
            this.#swap(first, item);
        }
    }
    #swap(a, b) {
        const place = a.place;
        this.#set(a, b.place);
        this.#set(b, place);
    }
    #set(item, place) {
        item.place = place;
        this.#items[place] = item;
    }
}
