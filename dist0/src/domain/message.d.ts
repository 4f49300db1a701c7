import type { EventName } from './events.js';
/** The seven states of a message, by letter (SPEC.md section 3). */
export declare const statusNames: {
    readonly N: 'new';
    readonly S: 'sent';
    readonly E: 'error';
    readonly F: 'failed';
    readonly D: 'deleted';
    readonly L: 'locked';
    readonly B: 'blocked';
};
/** One letter of {@link statusNames}. */
export type Status = keyof typeof statusNames;
/** How a message came to be (SPEC.md section 2.2). */
export declare const sources: readonly ['website', 'api', 'url', 'email'];
/** One of {@link sources}. */
export type Source = (typeof sources)[number];
/** The right of one token to send a message, for a time. */
export interface Lease {
    /** Identifier of the token that holds it. */
    readonly holder: string;
    /** Milliseconds since the epoch. */
    readonly until: number;
}
/** A message as it is kept; all times are milliseconds since the epoch. Never changed, only replaced. */
export interface Message {
    readonly id: string;
    readonly account: string;
    /** The recipient as given. */
    readonly destination: string;
    /** The recipient's canonical form: E.164, or the digits of a short code or test number. */
    readonly number: string;
    readonly text: string;
    readonly source: Source;
    readonly status: Status;
    readonly createdAt: number;
    readonly sendAt: number;
    readonly statusAt: number;
    /** Send attempts that ended in error, 0 to 5. */
    readonly failures: number;
    /** Not handed out before this time. */
    readonly retryAt?: number;
    readonly lease?: Lease;
    /** The token that was last given the message, which may still report on it after its lease. */
    readonly lastHolder?: string;
    /** Number of parts the sent message needed. */
    readonly parts?: number;
    /** What the last failed attempt said. */
    readonly error?: string;
    /** Idempotency key of the last report, so that a repeated report is not counted twice. */
    readonly reportKey?: string;
    /** The state before a deletion, for undelete. */
    readonly before?: Status;
}
/** What a decision does to a message: its new form, or `null` to remove it, and the events that causes. */
export interface Change {
    /** Absent: the message stays as it is. */
    readonly message?: Message | null;
    readonly events?: readonly EventName[];
}
/** Send attempts before a message is abandoned (SPEC.md section 8). */
export declare const maxAttempts = 5;
/** Extra delay of a retry for each failure so far, in milliseconds (SPEC.md section 8). */
export declare const retryStep: number;
/** Whether a message waits to be sent: New or Error. */
export declare function isWaiting(message: Message): boolean;
/** Whether a message is in a state that cannot change: Sent, Failed or Blacklisted (SPEC.md section 3). */
export declare function isFinal(message: Message): boolean;
/** The time a waiting message became or becomes due, in milliseconds since the epoch. */
export declare function dueAt(message: Message): number;
/** The time from which a waiting message may be handed out: when it is due and no lease holds it. */
export declare function availableAt(message: Message): number;
/** The message in another state; `statusAt` moves only when the letter changes. */
export declare function withStatus(message: Message, status: Status, now: number): Message;
/** The message without its lease, and with `changes` applied. */
export declare function released(message: Message, changes?: Partial<Message>): Message;
