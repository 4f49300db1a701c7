/** The filters of the message list and the states each shows (SPEC.md section 4.2). */
export declare const messageFilters: {
    readonly normal: readonly ["N", "E"];
    readonly all: readonly ["N", "S", "E", "F", "D", "L", "B"];
    readonly error: readonly ["E"];
    readonly sent: readonly ["S"];
    readonly new: readonly ["N"];
    readonly failed: readonly ["F"];
    readonly deleted: readonly ["D"];
    readonly locked: readonly ["L"];
    readonly blocked: readonly ["B"];
};
/** Name of one of {@link messageFilters}. */
export type MessageFilter = keyof typeof messageFilters;
/** Names of {@link messageFilters}. */
export declare const messageFilterNames: MessageFilter[];
