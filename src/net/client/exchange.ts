import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { DriverError } from '../../phone/driver-port/driver.js'

/** A request as it goes out. */
export interface Outgoing {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number
}

/** What was answered. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Undefined when the line was lost, or the body was too long, before its end. */
  readonly body: string | undefined
}

/** Bytes of an answer that are read. */
const most = 1_000_000

/**
 * Makes one request on a connection of its own. Throws {@link DriverError}: `trouble` while nothing was sent, `unsure`
 * once the connection stood and the service may have read the request.
 */
export async function exchange(
  outgoing: Outgoing,
  unsure: 'unknown' | 'retry',
  signal: AbortSignal,
): Promise<Answer> {
  const { url, timeout } = outgoing
  if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
  const request = open(outgoing)
  let stood = false
  request.once('socket', socket => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      stood = true
    })
  })
  const stop = () => request.destroy(new Error('stopped before it answered'))
  const late = setTimeout(
    () => request.destroy(new Error(`no answer in ${timeout / 1000} s`)),
    timeout,
  )
  signal.addEventListener('abort', stop, { once: true })
  try {
    const response = await answered(request)
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await read(response),
    }
  } catch (error) {
    const sentence = stood
      ? `${url.host} may have the text, but did not answer: ${reasonOf(error)}.`
      : `${url.host} cannot be reached: ${reasonOf(error)}.`
    throw new DriverError(stood ? unsure : 'trouble', sentence, { cause: error })
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    request.destroy()
  }
}

function open({ url, method, headers, body }: Outgoing): ClientRequest {
  const make = url.protocol === 'https:' ? requestTls : requestPlain
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const request = make(url, { method, headers: { ...headers, ...length }, agent: false })
  request.end(body)
  return request
}

async function answered(request: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
  })
}

async function read(response: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      length += chunk.length
      if (length > most) return undefined
    }
    return Buffer.concat(chunks).toString()
  } catch {
    return undefined
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'no way to the host',
  ENETUNREACH: 'no way to the network',
  ETIMEDOUT: 'no answer in time',
  ECONNRESET: 'the line was closed',
}

/** Why a connection did not come about, or ended, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given'
  const code = 'code' in error ? String(error.code) : ''
  if (error.name === 'AbortError') return 'no answer in time'
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return `its certificate is not good (${code})`
  return reasons[code] ?? error.message
}
