/** A running part of the cluster: the database, a node or the proxy. */
export interface Part {
  readonly url: string
  stop(): Promise<void>
}

export type Print = (line: string) => void

/** Milliseconds until a part of the cluster that ended is started again. */
export const restartDelay = 1000
