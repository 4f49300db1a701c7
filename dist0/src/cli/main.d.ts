import { type Io } from './io.js';
/** What the program is started with. */
export interface Start {
    readonly argv: readonly string[];
    /** The package's directory: where package.json and the manifest are. */
    readonly root: string;
    readonly io?: Io;
}
/** Runs one command line to its end; an error, wherever it comes from, is told in one line and sets the exit code. */
export declare function main({ argv, root, io }: Start): Promise<void>;
