/** The events a subscription can listen to, in the order the interface lists them (SPEC.md section 6). */
export declare const eventNames: readonly ['message.create', 'message.sent', 'message.failed', 'message.blocked'];
/** One of {@link eventNames}. */
export type EventName = (typeof eventNames)[number];
/** A recorded event: what happened to which message, with its place in the one order of the service. */
export interface RelayEvent {
    /** Place in the order of all events of the store; starts at 1 and only grows. */
    readonly seq: number;
    readonly account: string;
    readonly event: EventName;
    /** Identifier of the message. */
    readonly message: string;
    /** Milliseconds since the epoch. */
    readonly at: number;
}
