import { type Socket } from 'node:net';
/** The holder of a directory: nobody else can have it until {@link DirectoryLock.release}, or until this process dies. */
export interface DirectoryLock {
    /** Answers those who connect to the directory's socket, and those who did already. */
    serve(onConnection: (socket: Socket) => void): void;
    release(): Promise<void>;
}
/**
 * Takes a directory for this process alone, by listening on a socket in it: the system lets go of that
 * however the process ends. Creates the directory. Throws `directory_in_use`, and `configuration` where
 * the directory cannot be used.
 */
export declare function lockDirectory(directory: string): Promise<DirectoryLock>;
/** Connects to the process that holds a directory; undefined when nobody does. */
export declare function connectToHolder(directory: string): Promise<Socket | undefined>;
