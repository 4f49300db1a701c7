import type { BlockEntry } from '../../domain/account.js';
import type { Change, Message } from '../../domain/message.js';
import type { BlocklistStore } from '../store.js';
import type { Engine } from './engine.js';
/** The Do Not Text lists on the {@link Engine}. */
export declare class LowdbBlocklist implements BlocklistStore {
    #private;
    constructor(engine: Engine);
    list(scope: string): Promise<BlockEntry[]>;
    add(entry: BlockEntry, decide: (message: Message) => Change): Promise<BlockEntry>;
    remove(scope: string, number: string): Promise<BlockEntry | undefined>;
}
