/** An item that knows its place in a {@link Heap}; `place` is -1 outside of one. */
export interface HeapItem {
    place: number;
}
/** A binary heap whose items can be moved and removed in O(log n). */
export declare class Heap<T extends HeapItem> {
    #private;
    /** @param before whether `a` comes out before `b` */
    constructor(before: (a: T, b: T) => boolean);
    get size(): number;
    /** The first item. */
    peek(): T | undefined;
    /** All items, in no order. */
    values(): Iterable<T>;
    /** Adds an item, or puts it right after its order changed. */
    put(item: T): void;
    /** Takes an item out. */
    remove(item: T): void;
}
