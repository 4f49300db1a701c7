import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ErrorCode, RelayError } from '../../errors.js'
import { PromiseQueue } from '../../util/async/promise-queue.js'
import type { Administration } from './administration.js'

/** A verb of {@link Administration} that can be asked over a socket. */
export type Verb = Exclude<keyof Administration, 'close'>

const verbs: ReadonlySet<string> = new Set<Verb>([
  'createAccount',
  'listAccounts',
  'showAccount',
  'changeAccount',
  'rotateKeys',
  'setPassword',
  'deleteAccount',
  'listBlocked',
  'addBlocked',
  'importBlocked',
  'removeBlocked',
])

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string }
}

/** Answers administration requests on a socket, in order: one line of JSON `[verb, ...arguments]`, one line back. */
export function serveAdministration(administration: Administration, socket: Socket): void {
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  const queue = new PromiseQueue()
  lines.on('line', line => {
    void queue.run(async () => {
      const reply = await executeRequest(administration, line)
      if (socket.writable) socket.write(formatLine(reply))
    })
  })
  // readline passes on errors of the socket: a client that hangs up must not end the service.
  lines.on('error', () => socket.destroy())
}

/** Administration through the process that holds the data directory. */
export function createSocketAdministration(socket: Socket): Administration {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const ask = async (verb: Verb, ...parameters: unknown[]): Promise<unknown> => {
    if (!socket.writable) throw serviceStoppedError()
    socket.write(formatLine([verb, ...parameters]))
    const line = await lines.next().catch(cause => {
      throw serviceStoppedError(cause)
    })
    if (line.done === true) throw serviceStoppedError()
    const { error, result } = JSON.parse(line.value) as Reply
    if (error === undefined) return result
    throw new RelayError(
      error.code,
      error.message,
      error.hint === undefined ? {} : { hint: error.hint },
    )
  }
  const close = async (): Promise<void> => {
    socket.destroy()
  }
  const asked = [...verbs].map(verb => [
    verb,
    (...parameters: unknown[]) => ask(verb as Verb, ...parameters),
  ])
  return { ...Object.fromEntries(asked), close } as Administration
}

async function executeRequest(administration: Administration, line: string): Promise<Reply> {
  try {
    const [verb, ...parameters] = parseRequest(line)
    const call = administration[verb] as (...given: unknown[]) => Promise<unknown>
    return { result: await call(...parameters) }
  } catch (error) {
    return { error: toReplyError(error) }
  }
}

function parseRequest(line: string): [Verb, ...unknown[]] {
  try {
    const request = JSON.parse(line) as unknown
    if (Array.isArray(request) && verbs.has(request[0])) return request as [Verb, ...unknown[]]
  } catch {
    // Not JSON: not a request either.
  }
  throw new RelayError('invalid_request', 'A request is a line of JSON: [verb, ...arguments].')
}

/** readline also ends lines at U+2028 and U+2029, which JSON leaves as they are. */
function formatLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(/[\u2028\u2029]/g, end =>
    end === '\u2028' ? '\\u2028' : '\\u2029',
  )
  return `${escaped}\n`
}

function serviceStoppedError(cause?: unknown): RelayError {
  return new RelayError('unavailable', 'The service stopped meanwhile.', { cause })
}

function toReplyError(error: unknown): NonNullable<Reply['error']> {
  if (!(error instanceof RelayError)) {
    return { code: 'internal_error', message: 'The service failed at this request.' }
  }
  const { code, message, hint } = error
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}
