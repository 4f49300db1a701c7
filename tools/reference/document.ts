/** A request and its reply, as a test exchanges them with a real relay. */
export interface Example {
  /** The operation in the tables of src/contract/api. */
  readonly operation: string
  readonly request: {
    /** Path and query. */
    readonly target: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly reply: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}
