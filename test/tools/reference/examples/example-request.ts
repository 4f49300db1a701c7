// The examples of the API reference, as requests to one fresh relay, in this order:
//
// 1. all-examples lists the requests; `*-examples` has those of a table of src/contract/api.
// 2. exchange-examples sends them to a real relay with a fixed clock and fixed ids.
// 3. examples.test.ts compares requests and replies with tools/reference/examples.json. To write
//    that file: `npx vitest run -u --project source test/tools/reference/examples`, and then
//    `npm run reference`.
import type { ApiErrorCode } from '../../../../src/contract/api/api-errors.js'
import type { operations, publicOperations } from '../../../../src/contract/api/operations.js'
import type { serverOperations } from '../../../../src/contract/api/server-operations.js'

export type ExampleOperation =
  | keyof typeof publicOperations
  | keyof typeof operations
  | keyof typeof serverOperations

/** `$name` in a request stands for a value that is saved from a reply before it. */
export interface ExampleRequest {
  readonly operation: ExampleOperation
  /** Parameters of the path. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether the phone's token is used where any token is valid. */
  readonly isFromPhone?: true
  /** Values of the reply that later requests use: their paths by name. */
  readonly saves?: Readonly<Record<string, string>>
  /**
   * The same for random values, such as secrets. They are printed as their names; of the address
   * of a secret URL only the secret.
   */
  readonly hides?: Readonly<Record<string, string>>
  /** Name of the reply's `ETag`; printed in its place if in capitals. */
  readonly tag?: string
  /** Sends the request again until the reply has this path. */
  readonly until?: string
  /** The most items of each list that are printed. */
  readonly maxItems?: number
  /** The code of the error that the relay answers. */
  readonly error?: ApiErrorCode
  /** Address of the client, as the proxy of the relay names it; not printed. */
  readonly client?: string
  /** Opens a stream, which stays open while later examples are sent. */
  readonly isStream?: true
  /** Only leads to the state of later examples; not printed. */
  readonly isStep?: true
}
