import { apiToken, getPhoneToken } from '../servers/accounts.js'
import type { Actor, Step } from './actor.js'

/** Path of the messages. */
export const messagePath = '/api/1/message'

/** Path on which the bare server answers NEXT, a method that it does not know. */
export const nextStandIn = '/api/1/message/next'

export const messageText =
  'Your parcel arrives today between 14:00 and 16:00. ' +
  'Track it at https://example.com/t/8F3K2. Reply STOP to end.'

const areas = [202, 212, 213, 214, 215, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713]

/** 1,600 numbers reserved for fiction, so that a cache of numbers gains little. */
export const destinations: readonly string[] = areas.flatMap(area =>
  Array.from({ length: 100 }, (_, line) => `+1${area}55501${String(line).padStart(2, '0')}`),
)

export function formatRequest(
  method: string,
  path: string,
  token: string,
  body?: { readonly type: string; readonly text: string },
): string {
  const start =
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n` + `Authorization: Bearer ${token}\r\n`
  if (body === undefined) return `${start}\r\n`
  const length = Buffer.byteLength(body.text)
  return `${start}Content-Type: ${body.type}\r\nContent-Length: ${length}\r\n\r\n${body.text}`
}

/** Requests that create messages, as a form or as JSON. */
export function createSteps(as: 'form' | 'json', token = apiToken): Step[] {
  return destinations.map(destination => {
    const message = { destination, message: messageText }
    const body =
      as === 'json'
        ? { type: 'application/json', text: JSON.stringify({ message }) }
        : {
            type: 'application/x-www-form-urlencoded',
            text: `message=${encodeURIComponent(JSON.stringify(message))}`,
          }
    return { name: 'create', bytes: formatRequest('POST', messagePath, token, body) }
  })
}

/** Requests for single messages. */
export function getSteps(ids: readonly string[]): Step[] {
  return ids.map(id => ({
    name: 'get',
    bytes: formatRequest('GET', `${messagePath}/${id}`, apiToken),
  }))
}

/** The request for the first page of the list, 50 messages. */
export function createListStep(): Step {
  return { name: 'list', bytes: formatRequest('GET', messagePath, apiToken) }
}

/** How a phone requests its next message. */
export interface PhoneOptions {
  /** Uses a method that the bare server knows. @default false */
  readonly bare?: boolean
  /** Waits until a message is due. @default false */
  readonly waits?: boolean
  /** Called after each sent message. */
  readonly onDone?: () => void
}

const idField = Buffer.from('"id":"')
const idLength = 36

/** A phone: NEXT and success, repeatedly. */
export function createPhone(number: number, options: PhoneOptions = {}): Actor {
  const token = getPhoneToken(number)
  const next = createNextStep(token, options)
  const [before = '', after = ''] = formatSuccess(token).split('{id}')
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

function createNextStep(token: string, { bare = false, waits = false }: PhoneOptions): Step {
  const bytes = bare
    ? formatRequest('GET', nextStandIn, token)
    : formatRequest('NEXT', messagePath, token)
  const prefer = 'Prefer: wait=25\r\n\r\n'
  return { name: 'next', bytes: waits ? bytes.replace(/\r\n$/, prefer) : bytes }
}

function formatSuccess(token: string): string {
  const body = { type: 'application/json', text: '{"parts":1}' }
  return formatRequest('PUT', `${messagePath}/{id}/success`, token, body)
}
