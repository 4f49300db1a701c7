/**
 * What follows from a row of {@link Note}s: the attempts the relay does not know the outcome of, and the last `most`
 * messages that were sent. Whatever was not surely sent is forgotten once it is reported: when the relay hands it out
 * again, somebody has decided that it may go.
 */
export class AttemptBook {
    #open = new Map();
    #sent = new Map();
    #most;
    constructor(most = 10_000) {
        this.#most = most;
    }
    /** Follows a note; one about an attempt that is not open changes nothing. */
    apply(note) {
        if (note.do === 'begin') {
            const { do: _, ...intent } = note;
            this.#open.set(note.key, intent);
        }
        else if (note.do === 'sent') {
            const { id, key, content, parts } = note;
            this.#remember({ id, key, content, parts });
        }
        else {
            const attempt = this.#open.get(note.key);
            if (attempt !== undefined)
                this.#change(attempt, note);
        }
    }
    /** The attempts the relay does not know the outcome of, oldest first. */
    open() {
        return this.#open.values();
    }
    /** The outcome of an earlier attempt that is to be reported instead of sending this content again. */
    known(id, content) {
        for (const { outcome, ...attempt } of this.#open.values()) {
            if (attempt.id !== id || attempt.content !== content || outcome === undefined)
                continue;
            return { id, key: attempt.key, outcome };
        }
        const sent = this.#sent.get(id);
        if (sent?.content !== content)
            return undefined;
        return { id, key: sent.key, outcome: { result: 'sent', parts: sent.parts } };
    }
    /** The shortest row of notes that leads here. */
    *notes() {
        for (const sent of this.#sent.values())
            yield { do: 'sent', ...sent };
        for (const { outcome, ...intent } of this.#open.values()) {
            yield { do: 'begin', ...intent };
            if (outcome !== undefined)
                yield { do: 'end', key: intent.key, outcome };
        }
    }
    #change(attempt, note) {
        if (note.do === 'end') {
            this.#open.set(note.key, { ...attempt, outcome: note.outcome });
            return;
        }
        this.#open.delete(note.key);
        if (note.do === 'settle' && attempt.outcome?.result === 'sent') {
            const { id, key, content, outcome } = attempt;
            this.#remember({ id, key, content, parts: outcome.parts });
        }
    }
    #remember(sent) {
        this.#sent.delete(sent.id);
        this.#sent.set(sent.id, sent);
        const oldest = this.#sent.keys().next();
        if (this.#sent.size > this.#most && oldest.done !== true)
            this.#sent.delete(oldest.value);
    }
}
