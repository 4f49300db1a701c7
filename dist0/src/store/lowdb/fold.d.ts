/** What is folded into what. */
export interface FoldJob {
    /** Path of the snapshot to start from; undefined when there is none yet. */
    readonly snapshot: string | undefined;
    /** Paths of the journals that follow it, oldest first; none of them is written to any more. */
    readonly journals: readonly string[];
    /** Path of the snapshot to write. */
    readonly target: string;
}
/**
 * Folds journals into a new snapshot that is whole or not there: temporary file, fsync, rename, fsync of
 * the directory. Needs memory for what the journals changed only. Throws `damaged_data`.
 */
export declare function fold(job: FoldJob): Promise<void>;
