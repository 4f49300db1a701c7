/** A store with nothing in it. */
export function emptyCollections() {
    return {
        account: new Map(),
        token: new Map(),
        message: new Map(),
        subscription: new Map(),
        block: new Map(),
        once: new Map(),
        event: new Map(),
        meta: new Map(),
    };
}
/** Applies an entry to the collections. */
export function applyEntry(data, [kind, key, value]) {
    const map = data[kind];
    if (value === null)
        map.delete(key);
    else
        map.set(key, value);
}
/** Whether `kind` names a collection. */
export function isKind(data, kind) {
    return typeof kind === 'string' && Object.hasOwn(data, kind);
}
