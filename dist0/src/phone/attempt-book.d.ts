import type { Outcome } from './outcome.js';
/** One attempt at one message; the key is the idempotency key of its report. */
export interface Attempt {
    readonly id: string;
    readonly key: string;
}
/** An attempt that has an outcome. */
export interface Known extends Attempt {
    readonly outcome: Outcome;
}
/** What was to be sent, without its text, and by which of the loops of this phone. */
export interface Intent extends Attempt {
    /** Tells whether a message is still the same. */
    readonly content: string;
    readonly worker: number;
}
/** An attempt whose outcome the relay does not know. */
export interface OpenAttempt extends Intent {
    /** Absent while the driver is at work, or when it never came to an end. */
    readonly outcome?: Outcome;
}
/** What happens to attempts, as a journal notes it. */
export type Note = ({
    readonly do: 'begin';
} & Intent) | {
    readonly do: 'end';
    readonly key: string;
    readonly outcome: Outcome;
} | {
    readonly do: 'cancel';
    readonly key: string;
} | {
    readonly do: 'settle';
    readonly key: string;
} | ({
    readonly do: 'sent';
    readonly content: string;
    readonly parts: number;
} & Attempt);
/**
 * What follows from a row of {@link Note}s: the attempts the relay does not know the outcome of, and the last `most`
 * messages that were sent. Whatever was not surely sent is forgotten once it is reported: when the relay hands it out
 * again, somebody has decided that it may go.
 */
export declare class AttemptBook {
    #private;
    constructor(most?: number);
    /** Follows a note; one about an attempt that is not open changes nothing. */
    apply(note: Note): void;
    /** The attempts the relay does not know the outcome of, oldest first. */
    open(): Iterable<OpenAttempt>;
    /** The outcome of an earlier attempt that is to be reported instead of sending this content again. */
    known(id: string, content: string): Known | undefined;
    /** The shortest row of notes that leads here. */
    notes(): Iterable<Note>;
}
