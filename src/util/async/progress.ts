/** Gets the progress of long work: what is finished, and the total, which can be an estimate. */
export type OnProgress = (finished: number, total: number) => void
