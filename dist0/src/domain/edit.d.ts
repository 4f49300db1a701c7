import { type Change, type Message } from './message.js';
/** What PATCH may change, already checked and in stored form. */
export type Edit = Partial<Pick<Message, 'destination' | 'number' | 'text' | 'sendAt'>>;
/** Decides the creation of a message: a listed number is created and blocked at once (SPEC.md section 6). */
export declare function create(message: Message, facts: {
    blocked: boolean;
}): Change;
/** Decides an edit: only N and E can be edited, and a listed number blocks. Throws `invalid_state`. */
export declare function edit(message: Message, changes: Edit, now: number, facts: {
    blocked: boolean;
}): Change;
/** Decides a deletion: N, E and L are kept as D for undelete, a final message is removed for good. */
export declare function remove(message: Message, now: number): Change;
/** Decides a lock: N and E become L and are not sent; a locked message stays so. Throws `invalid_state`. */
export declare function lock(message: Message, now: number): Change;
/** Decides an unlock: L becomes N or E, or B where the number is listed. Throws `invalid_state`. */
export declare function unlock(message: Message, now: number, facts: {
    blocked: boolean;
}): Change;
/** Decides an undelete: D becomes what it was, or B where the number is listed. Throws `invalid_state`. */
export declare function undelete(message: Message, now: number, facts: {
    blocked: boolean;
}): Change;
