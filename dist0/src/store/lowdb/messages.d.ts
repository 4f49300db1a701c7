import type { Claimed } from '../../domain/claim.js';
import type { Message } from '../../domain/message.js';
import type { ChangeOptions, Decide, Facts, MessageQuery, MessageStore } from '../store.js';
import type { Engine } from './engine.js';
/** Messages on the {@link Engine}. */
export declare class LowdbMessages implements MessageStore {
    #private;
    constructor(engine: Engine, now: () => number);
    get(id: string): Promise<Message | undefined>;
    list(query: MessageQuery): Promise<Message[]>;
    change(id: string, decide: Decide, options?: ChangeOptions): Promise<Message | undefined>;
    claim(account: string, holder: string, now: number, decide: (message: Message, facts: Facts) => Claimed): Promise<Message | undefined>;
    nextAvailable(account: string): number | undefined;
    forgetOnce(now: number): Promise<void>;
    lapsed(now: number): Message[];
}
