import type { Store } from '../../../../src/server/store/store.js'

export interface StoreOptions {
  /** Milliseconds since the epoch. @default {@link start} */
  readonly now?: () => number
}

/** A place where stores of one implementation find the data of the stores before them. */
export interface TestDatabase {
  open(options?: StoreOptions): Promise<Store>
  /** Opens a store on a copy of the data: what a process would find after a crash now. */
  openCopy(options?: StoreOptions): Promise<Store>
}

/** Creates an empty database that is removed at the end of the test. */
export type CreateDatabase = () => Promise<TestDatabase>
