import { apiToken, phoneToken } from '../servers/accounts.js'
import type { Actor, Step } from './actor.js'

/** Where messages are. */
export const messagePath = '/api/1/message'

/** Where the bare server has the reply that stands for NEXT, a method it does not know. */
export const nextStandIn = '/api/1/message/next'

const text =
  'Your parcel arrives today between 14:00 and 16:00. Track it at https://example.com/t/8F3K2. Reply STOP to end.'

const areas = [202, 212, 213, 214, 215, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713]

/** Numbers set aside for fiction, 1,600 of them: whoever remembers the last one gains little. */
export const destinations: readonly string[] = areas.flatMap(area =>
  Array.from({ length: 100 }, (_, line) => `+1${area}55501${String(line).padStart(2, '0')}`),
)

/** The bytes of a request. */
export function request(
  method: string,
  path: string,
  token: string,
  body?: { readonly type: string; readonly text: string },
): string {
  const start = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) return `${start}\r\n`
  const length = Buffer.byteLength(body.text)
  return `${start}Content-Type: ${body.type}\r\nContent-Length: ${length}\r\n\r\n${body.text}`
}

/** Creations of messages, as a form or as JSON. */
export function creations(as: 'form' | 'json'): Step[] {
  return destinations.map(destination => {
    const message = { destination, message: text }
    const body =
      as === 'json'
        ? { type: 'application/json', text: JSON.stringify({ message }) }
        : {
            type: 'application/x-www-form-urlencoded',
            text: `message=${encodeURIComponent(JSON.stringify(message))}`,
          }
    return { name: 'create', bytes: request('POST', messagePath, apiToken, body) }
  })
}

/** Readings of single messages. */
export function readings(ids: readonly string[]): Step[] {
  return ids.map(id => ({
    name: 'get',
    bytes: request('GET', `${messagePath}/${id}`, apiToken),
  }))
}

/** The first page of the list: 50 messages. */
export function listing(): Step {
  return { name: 'list', bytes: request('GET', messagePath, apiToken) }
}

/** How a phone asks for its next message. */
export interface PhoneOptions {
  /** The bare server is asked with a method that it knows. @default false */
  readonly bare?: boolean
  /** Waits for a message to become due. @default false */
  readonly waits?: boolean
  /** Told of each message done. */
  readonly onDone?: () => void
}

const idField = Buffer.from('"id":"')
const idLength = 36

/** A phone: NEXT, and success for what it got, for ever. */
export function phone(number: number, options: PhoneOptions = {}): Actor {
  const token = phoneToken(number)
  const next = nextStep(token, options)
  const [before = '', after = ''] = successBytes(token).split('{id}')
  let hasMessage = false
  let isFirst = true
  return {
    readsBody: true,
    next: body => {
      if (hasMessage && body !== undefined) {
        hasMessage = false
        const at = body.indexOf(idField) + idField.length
        return {
          name: 'success',
          bytes: before + body.toString('latin1', at, at + idLength) + after,
        }
      }
      if (!isFirst) options.onDone?.()
      isFirst = false
      hasMessage = true
      return next
    },
  }
}

function nextStep(token: string, { bare = false, waits = false }: PhoneOptions): Step {
  const bytes = bare ? request('GET', nextStandIn, token) : request('NEXT', messagePath, token)
  const prefer = 'Prefer: wait=25\r\n\r\n'
  return { name: 'next', bytes: waits ? bytes.replace(/\r\n$/, prefer) : bytes }
}

function successBytes(token: string): string {
  const body = { type: 'application/json', text: '{"parts":1}' }
  return request('PUT', `${messagePath}/{id}/success`, token, body)
}
