import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ErrorCode, RelayError } from '../../errors.js'
import { PromiseQueue } from '../../util/async/promise-queue.js'
import type { Administration } from './administration.js'

export type AdministrationMethod = Exclude<keyof Administration, 'close'>

const methods: ReadonlySet<string> = new Set<AdministrationMethod>([
  'createAccount',
  'createFirstAccount',
  'listAccounts',
  'showAccount',
  'changeAccount',
  'rotateKeys',
  'setPassword',
  'resetSecondFactor',
  'deleteAccount',
  'showLimits',
  'changeLimits',
  'listPeople',
  'invitePerson',
  'setRole',
  'removePerson',
  'listDoNotText',
  'addDoNotText',
  'importDoNotText',
  'removeDoNotText',
])

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string }
}

/**
 * Serves administration on a socket, one request at a time: a line of JSON `[method, ...arguments]`
 * gets a line of JSON with `result` or `error`.
 */
export function serveAdministration(administration: Administration, socket: Socket): void {
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  const queue = new PromiseQueue()
  lines.on('line', line => {
    void queue.run(async () => {
      const reply = await executeRequest(administration, line)
      if (socket.writable) socket.write(formatLine(reply))
    })
  })
  // readline re-emits errors of the administration socket; a client that disconnects must not end
  // the relay.
  lines.on('error', () => socket.destroy())
}

export function createSocketAdministration(socket: Socket): Administration {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const call = async (method: AdministrationMethod, ...parameters: unknown[]): Promise<unknown> => {
    if (!socket.writable) throw relayStoppedError()
    socket.write(formatLine([method, ...parameters]))
    const line = await lines.next().catch(cause => {
      throw relayStoppedError(cause)
    })
    if (line.done === true) throw relayStoppedError()
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
  const calls = [...methods].map(method => [
    method,
    (...parameters: unknown[]) => call(method as AdministrationMethod, ...parameters),
  ])
  return { ...Object.fromEntries(calls), close } as Administration
}

async function executeRequest(administration: Administration, line: string): Promise<Reply> {
  try {
    const [method, ...parameters] = parseRequest(line)
    const call = administration[method] as (...given: unknown[]) => Promise<unknown>
    // JSON has no undefined, and null in its place.
    return { result: await call(...parameters.map(each => each ?? undefined)) }
  } catch (error) {
    return { error: toReplyError(error) }
  }
}

function parseRequest(line: string): [AdministrationMethod, ...unknown[]] {
  try {
    const request = JSON.parse(line) as unknown
    if (Array.isArray(request) && methods.has(request[0]))
      return request as [AdministrationMethod, ...unknown[]]
  } catch {
    // The line on the administration socket is not JSON.
  }
  throw new RelayError('invalid_request', 'A request is a line of JSON: [method, ...arguments].')
}

/** The reply on the administration socket is not JSON. */
function formatLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(/[\u2028\u2029]/g, end =>
    end === '\u2028' ? '\\u2028' : '\\u2029',
  )
  return `${escaped}\n`
}

function relayStoppedError(cause?: unknown): RelayError {
  return new RelayError('unavailable', 'The relay stopped during the request.', { cause })
}

function toReplyError(error: unknown): NonNullable<Reply['error']> {
  if (!(error instanceof RelayError)) {
    return { code: 'internal_error', message: 'The relay failed to handle this request.' }
  }
  const { code, message, hint } = error
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}
