import type { Collections, Kind, Records } from './collections.js';
import { EventIndex } from './event-index.js';
import { MessageIndex } from './message-index.js';
/** Everything that is found otherwise than by its key. */
export declare class Indexes {
    #private;
    readonly messages: MessageIndex;
    readonly events: EventIndex;
    readonly byEmail: Map<string, string>;
    readonly bySecretKey: Map<string, string>;
    /** Indexes what is in the collections. */
    constructor(data: Collections);
    /** Follows a record from one form to the next. */
    changed<K extends Kind>(kind: K, before: Records[K] | undefined, after: Records[K] | undefined): void;
}
/** The form in which e-mail addresses are compared. */
export declare function emailKey(email: string): string;
