import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ErrorCode, RelayError } from '../errors.js'
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
  'removeBlocked',
])

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string }
}

/** Answers administration requests on a socket: one line of JSON `[verb, ...arguments]`, one line back. */
export function serveAdministration(administration: Administration, socket: Socket): void {
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line => {
    answer(administration, line).then(reply => {
      if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`)
    })
  })
}

/** Administration through the process that holds the data directory. */
export function remoteAdministration(socket: Socket): Administration {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const ask = async (verb: Verb, ...parameters: unknown[]): Promise<unknown> => {
    socket.write(`${JSON.stringify([verb, ...parameters])}\n`)
    const line = await lines.next()
    if (line.done === true) throw new RelayError('unavailable', 'The service stopped meanwhile.')
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

async function answer(administration: Administration, line: string): Promise<Reply> {
  try {
    const [verb, ...parameters] = JSON.parse(line) as [string, ...unknown[]]
    if (!verbs.has(verb)) throw new RelayError('invalid_request', `There is no verb ${verb}.`)
    const call = administration[verb as Verb] as (...given: unknown[]) => Promise<unknown>
    return { result: await call(...parameters) }
  } catch (error) {
    return { error: describe(error) }
  }
}

function describe(error: unknown): NonNullable<Reply['error']> {
  if (!(error instanceof RelayError)) {
    return { code: 'internal_error', message: 'The service failed at this request.' }
  }
  const { code, message, hint } = error
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}
