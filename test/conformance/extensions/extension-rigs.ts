import { expect, onTestFinished } from 'vitest'
import { subscribe } from '../acts.js'
import {
  type Caller,
  type Extras,
  type Fields,
  form,
  json,
  type Reply,
  request,
  type Subscription,
  useCallers,
} from '../calls.js'
import { type Answer, openReceiver } from '../receiver.js'

/** The fields of a subscription with the state of its deliveries. */
interface ExtendedSubscription extends Subscription {
  on_exhausted: string
  window: number
  retry_schedule?: number[]
  state: string
  paused_because?: string
  sequence: number
  retry_at?: string
}

export interface Delivery {
  id: string
  sequence: number
  event: string
  message: { id: string }
  attempt: number
  at: string
  ms: number
  status: number | null
  error: string | null
  ok: boolean
  dead: boolean
  resend: boolean
  reply: string
}

export interface SubscriptionBody {
  subscription: ExtendedSubscription
  delivery: Delivery
  deliveries: { delivery: Delivery; links: Record<string, { method: string; url: string }> }[]
}

/** Callers, and what the tests of the state and the deliveries of subscriptions do with them. */
export function useSubscriptions() {
  const at = useCallers()
  const event = 'message.create'

  async function expectOk(reply: Promise<Reply>): Promise<SubscriptionBody> {
    const { status, text, body } = await reply
    expect(status, text).toBe(200)
    return body as unknown as SubscriptionBody
  }

  async function getExtended(id: string): Promise<ExtendedSubscription> {
    return (await expectOk(at.api.get(`/subscription/${id}?extended=true`))).subscription
  }

  async function put(id: string, action: string, fields: Fields = {}): Promise<Reply> {
    return await at.api.put(`/subscription/${id}/${action}`, fields)
  }

  async function getDeliveries(id: string, filter?: unknown): Promise<Reply> {
    const query =
      filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
    return await at.api.get(`/subscription/${id}/delivery${query}`)
  }

  async function listDeliveries(id: string, filter?: unknown): Promise<Delivery[]> {
    const { deliveries } = await expectOk(getDeliveries(id, filter))
    return deliveries.map(({ delivery }) => delivery)
  }

  /** Opens a receiver with these answers, then 204, and subscribes it. */
  async function listenTo(answers: readonly Answer[], fields: Fields = {}) {
    const receiver = await openReceiver((_, nth) => answers[nth - 1] ?? { status: 204 })
    const hook = { event, url: receiver.url, post: true, ...fields }
    return { ...receiver, ...(await subscribe(at.api, hook)), url: receiver.url }
  }

  /** A result is recorded shortly after the receiver has answered. */
  async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
    for (;;) {
      const value = await read()
      if (isReached(value)) return value
    }
  }

  const untilState = async (id: string, state: string): Promise<ExtendedSubscription> =>
    await until(
      async () => await getExtended(id),
      subscription => subscription.state === state,
    )

  const untilDelivered = async (id: string, count: number): Promise<Delivery[]> =>
    await until(
      async () => await listDeliveries(id),
      deliveries => deliveries.length >= count,
    )

  return {
    at,
    event,
    expectOk,
    getExtended,
    put,
    getDeliveries,
    listDeliveries,
    listenTo,
    untilState,
    untilDelivered,
  }
}

export interface SecretUrl {
  id: string
  url: string
  state: string
  used_count: number
  last_used_on: string | null
  [field: string]: unknown
}

/** Callers, and what the tests of secret URLs do with them. */
export function useSecretUrls() {
  const at = useCallers()
  async function make(terms: Fields = {}, caller: Caller = at.api): Promise<SecretUrl> {
    const reply = await caller.call('POST', '/url', json(terms))
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const { url } = JSON.parse(reply.text)
    onTestFinished(async () => {
      await caller.delete(`/url/${url.id}`)
    })
    return url
  }

  async function list(caller: Caller = at.api): Promise<SecretUrl[]> {
    const reply = await caller.get('/url')
    expect(reply.status, reply.text).toBe(200)
    return JSON.parse(reply.text).urls.map((each: { url: SecretUrl }) => each.url)
  }

  const listed = async ({ id }: SecretUrl) => (await list()).find(each => each.id === id)

  /** GET with these fields in the query. */
  const get = (url: string, fields: Fields = {}, headers: Record<string, string> = {}) =>
    request(`${url}?${form(fields)}`, 'GET', { headers })

  const post = (url: string, extras: Extras) => request(url, 'POST', extras)

  async function accepted(reply: Reply): Promise<string> {
    expect(reply.status, reply.text).toBe(200)
    return reply.body.message.id
  }

  function expectPrivate({ headers }: Reply): void {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
  }

  return { at, make, list, listed, get, post, accepted, expectPrivate }
}

export interface Phone {
  name: string
  driver: string
  first_next_on: string | null
  last_next_on: string | null
  last_seen_on: string
  quiet_until: string | null
  last_quiet_on: string | null
  last_success_on: string | null
  last_failure_on: string | null
  silent: boolean
}

export interface Queue {
  waiting: number
  due: number
  leased: number
  oldest_due_on: string | null
  counted_on: string
}

/** Callers, and what the tests of phones do with them. */
export function usePhones() {
  const at = useCallers()
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

  function parseBody<T>(reply: Reply): T {
    expect(reply.status, reply.text).toBe(200)
    return JSON.parse(reply.text) as T
  }

  async function phones(caller: Caller = at.api): Promise<Phone[]> {
    const { phones: all } = parseBody<{ phones: { phone: Phone }[] }>(await caller.get('/phone'))
    return all.map(({ phone }) => phone)
  }

  async function phone(name: string): Promise<Phone | undefined> {
    return (await phones()).find(each => each.name === name)
  }

  async function queue(caller: Caller = at.api): Promise<Queue> {
    return parseBody<{ queue: Queue }>(await caller.get('/message/queue')).queue
  }

  /** Sends NEXT with a phone name. */
  async function next(name: string, driver?: string, caller: Caller = at.phone): Promise<Reply> {
    const fields: Record<string, string> = driver === undefined ? {} : { 'x-phone-driver': driver }
    return await caller.next({ headers: { 'x-phone-name': name, ...fields } })
  }

  return { at, time, parseBody, phones, phone, queue, next }
}
