import type { Account } from '../domain/account.js';
import type { Message } from '../domain/message.js';
import { type Failure, type Success } from '../domain/report.js';
import type { ServiceContext } from './context.js';
/** How {@link ClaimService.next} waits for a message. */
export interface Patience {
    /** Milliseconds to wait for a message to become due. @default 0 */
    readonly wait?: number;
    readonly signal?: AbortSignal;
}
/** What phones do: take the next message and report what became of it (SPEC.md sections 3 and 4.2). */
export declare class ClaimService {
    #private;
    /** @param lease length of a lease in milliseconds */
    constructor(context: ServiceContext, lease: number);
    /**
     * The next message, leased to `holder`; undefined when none is due within the time to wait. Nothing is claimed for
     * a signal that was aborted, nor after a wait for a token that ended meanwhile.
     */
    next(account: Account, holder: string, { wait, signal }?: Patience): Promise<Message | undefined>;
    /** Takes a success report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
    succeed(account: Account, holder: string, id: string, report: Success, key?: string): Promise<Message>;
    /** Takes a failure report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
    fail(account: Account, holder: string, id: string, report: Failure, key?: string): Promise<Message>;
    /** Decides on every lease that ended unreported, by the delivery mode of its account. */
    settleLapsed(): Promise<void>;
    /** Ends every wait. */
    stop(): void;
}
