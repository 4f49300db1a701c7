/** The recorded events of each account and name, in order. */
export class EventIndex {
    #logs = new Map();
    #last = 0;
    /** The highest sequence number given so far. */
    get last() {
        return this.#last;
    }
    /** Makes later sequence numbers higher than `seq`. */
    startAfter(seq) {
        this.#last = Math.max(this.#last, seq);
    }
    /** Follows an event that was recorded or removed. */
    changed(before, after) {
        if (after !== undefined)
            this.#add(after);
        else if (before !== undefined)
            this.#remove(before);
    }
    /** At most `count` events after `seq`. */
    after(account, event, seq, count) {
        const log = this.#logs.get(logKey(account, event)) ?? [];
        const from = firstAfter(log, seq);
        return log.slice(from, from + count);
    }
    #add(event) {
        const key = logKey(event.account, event.event);
        const log = this.#logs.get(key) ?? [];
        this.#logs.set(key, log);
        if ((log.at(-1)?.seq ?? 0) < event.seq)
            log.push(event);
        else
            log.splice(firstAfter(log, event.seq), 0, event);
        this.#last = Math.max(this.#last, event.seq);
    }
    #remove(event) {
        const log = this.#logs.get(logKey(event.account, event.event)) ?? [];
        const at = firstAfter(log, event.seq - 1);
        if (log[at]?.seq === event.seq)
            log.splice(at, 1);
    }
}
function logKey(account, event) {
    return `${account} ${event}`;
}
function firstAfter(log, seq) {
    let low = 0;
    let high = log.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if ((log[middle]?.seq ?? 0) <= seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
