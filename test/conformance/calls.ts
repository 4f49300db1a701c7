import { beforeAll, expect } from 'vitest'
import { type QuickRequest, sendQuickly } from '../net/send-quickly.js'
import { type Target, useTarget } from './target.js'

export interface Message {
  id: string
  destination: string
  message: string
  created_on: string
  send_on: string
  status: string
  status_date: string
  source: string
  failure_count: number
}

export interface Subscription {
  id: string
  event: string
  url: string
  method: string
  post: boolean
  stat_triggered: number
}

export type Links = Record<string, { method: string; url: string }>

/** Every member of the replies; each test reads only some of them. */
export interface Body {
  error: string
  error_description: string
  message: Message
  messages: { message: Message; links: Links }[]
  subscription: Subscription
  subscriptions: { subscription: Subscription; links: Links }[]
  links: Links
  events: string[]
  user: { email?: string; app_key?: string; secret_key?: string }
  entry: DoNotTextEntry
  entries: { entry: DoNotTextEntry }[]
  access_token: string
  token_type: string
  expires_in: number
  scope: string
}

export interface DoNotTextEntry {
  number: string
  added_on: string
  scope: string
  reason: string | null
  by: string | null
  note: string | null
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  body: Body
}

export type Fields = Record<string, unknown>

export type Extras = QuickRequest

export async function request(url: string, method: string, extras: Extras = {}): Promise<Reply> {
  const reply = await sendQuickly(url, method, extras)
  return { ...reply, body: parse(reply.text) }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {} as Body
  }
}

/** POST-style fields; a value other than a string becomes JSON. */
export function form(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    asText(value),
  ])
  return new URLSearchParams(pairs)
}

export function multipart(fields: Fields): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, asText(value))
  return data
}

export function json(value: unknown): { headers: Record<string, string>; body: string } {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export type Caller = ReturnType<typeof createCaller>

/** Makes calls below `/api/1` with one token: fields as a form, reports as JSON. */
export function createCaller(baseUrl: string, token: string) {
  const call = (method: string, path: string, extras: Extras = {}) =>
    request(`${baseUrl}/api/1${path}`, method, {
      ...extras,
      headers: { authorization: `Bearer ${token}`, ...extras.headers },
    })
  return {
    token,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, fields: Fields) => call('POST', path, { body: form(fields) }),
    patch: (path: string, fields: Fields) => call('PATCH', path, { body: form(fields) }),
    put: (path: string, value: unknown) => call('PUT', path, json(value)),
    delete: (path: string) => call('DELETE', path),
    next: (extras: Extras = {}) => call('NEXT', '/message', extras),
  }
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

export function signIn(baseUrl: string, name: string, password: string): Promise<Reply> {
  const headers = { authorization: basic(name, password) }
  return request(`${baseUrl}/oauth`, 'GET', { headers })
}

export async function signInCaller(
  baseUrl: string,
  name: string,
  password: string,
): Promise<Caller> {
  const reply = await signIn(baseUrl, name, password)
  expect(reply.status, reply.text).toBe(200)
  return createCaller(baseUrl, reply.body.access_token)
}

export interface Callers extends Target {
  /** The owner, by API key. */
  api: Caller
  /** The owner's phone, by application key. */
  phone: Caller
  /** The owner, by e-mail and password. */
  person: Caller
  /** The other account, by API key. */
  stranger: Caller
  /** The other account's phone. */
  strangerPhone: Caller
  /** A second phone of the owner: another token from the same application key. */
  secondPhone: Caller
  /** The path of the base URL in front of `/api/1`, for raw requests. */
  basePath: string
}

/** A target and a signed-in caller of every kind. */
export function useCallers(): Callers {
  const target = useTarget()
  const callers = {} as Callers
  beforeAll(async () => {
    const { baseUrl, owner, other } = target
    Object.assign(callers, target, {
      api: await signInCaller(baseUrl, owner.secret_key, owner.api_key),
      phone: await signInCaller(baseUrl, owner.secret_key, owner.app_key),
      secondPhone: await signInCaller(baseUrl, owner.secret_key, owner.app_key),
      person: await signInCaller(baseUrl, owner.email, owner.password),
      stranger: await signInCaller(baseUrl, other.secret_key, other.api_key),
      strangerPhone: await signInCaller(baseUrl, other.secret_key, other.app_key),
      basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    })
  })
  return callers
}

/** Checks the status and the code of an error, and that its sentence contains `naming`. */
export function expectError(reply: Reply, status: number, code: string, naming = ''): void {
  const { error, error_description: sentence } = reply.body
  expect({ status: reply.status, error }, reply.text).toEqual({ status, error: code })
  expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(sentence).toMatch(/\S/)
  expect(sentence).toContain(naming)
}

/** Checks for any 4xx error, and that its sentence contains `naming`. */
/** The body of an error without the id of its request, which differs each time. */
export function omitRequestId(text: string): string {
  return text.replace(/,"request_id":"[^"]*"/, '')
}

export function expectClientError(reply: Reply, naming = ''): void {
  expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
  expect(reply.status, reply.text).toBeLessThan(500)
  expectError(reply, reply.status, reply.body.error, naming)
  expect(reply.body.error).toMatch(/^[a-z_]+$/)
}
