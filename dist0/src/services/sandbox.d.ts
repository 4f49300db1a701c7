import type { ServiceContext } from './context.js';
/** Settles messages to test numbers when they are due, so that no phone has to run (SPEC.md section 1). */
export declare class Sandbox {
    #private;
    constructor(context: ServiceContext);
    /** Begins, with the messages that wait already. */
    start(): Promise<void>;
    /** Leaves everything as it is. */
    stop(): void;
}
