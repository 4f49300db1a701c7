import { randomInt, randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { Caller, Extras, Fields, Message, Reply, Subscription } from './calls.js'
import { openReceiver, type Receiver } from './receiver.js'

/** A distant time, so that NEXT does not return the message. */
export const FAR = '2090-01-01 00:00:00'

/** Returns a valid number that is not a test number and is new. */
export function freshNumber(): string {
  return `+1646${randomInt(2, 9)}${String(randomInt(0, 100_000)).padStart(5, '0')}7`
}

export function freshText(): string {
  return `conformance ${randomUUID()}`
}

export function draft(fields: Fields = {}): Fields {
  return { destination: freshNumber(), message: freshText(), send_on: FAR, ...fields }
}

export async function createMessage(caller: Caller, fields: Fields = {}): Promise<Message> {
  const reply = await caller.post('/message', { message: draft(fields) })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.message
}

/** Creates a message that is due. */
export function createDue(caller: Caller, fields: Fields = {}): Promise<Message> {
  return createMessage(caller, { send_on: '2001-01-01 00:00:00', ...fields })
}

export async function read(caller: Caller, id: string): Promise<Message> {
  const reply = await caller.get(`/message/${id}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.message
}

export const succeed = (caller: Caller, id: string, parts = 1): Promise<Reply> =>
  caller.put(`/message/${id}/success`, { parts })

export const fail = (caller: Caller, id: string, error_message = 'no carrier'): Promise<Reply> =>
  caller.put(`/message/${id}/failure`, { error_message })

async function done(reply: Promise<Reply>): Promise<void> {
  const { status, text } = await reply
  expect(status, text).toBe(200)
}

export async function failTimes(caller: Caller, id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await done(fail(caller, id))
}

const steps: Record<string, (caller: Caller, id: string) => Promise<void>> = {
  N: async () => {},
  E: (caller, id) => failTimes(caller, id, 1),
  S: (caller, id) => done(succeed(caller, id)),
  F: (caller, id) => failTimes(caller, id, 5),
  D: (caller, id) => done(caller.delete(`/message/${id}`)),
  L: (caller, id) => done(caller.put(`/message/${id}/lock`, {})),
  B: async () => {},
}

/** Creates a message in the state of this letter, and returns its id. */
export async function messageIn(caller: Caller, letter: string): Promise<string> {
  const destination = freshNumber()
  if (letter === 'B') await block(caller, destination)
  const { id } = await createMessage(caller, { destination })
  await steps[letter]?.(caller, id)
  if (letter !== 'D') expect((await read(caller, id)).status).toBe(letter)
  return id
}

export async function block(caller: Caller, number: string): Promise<void> {
  await done(caller.post('/do-not-text', { number }))
  onTestFinished(async () => {
    await caller.delete(`/do-not-text/${encodeURIComponent(number)}`)
  })
}

export function listMessages(caller: Caller, filter?: unknown): Promise<Reply> {
  if (filter === undefined) return caller.get('/message')
  return caller.get(`/message?filter=${encodeURIComponent(JSON.stringify(filter))}`)
}

export async function listedIds(caller: Caller, filter?: unknown): Promise<string[]> {
  const reply = await listMessages(caller, filter)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.messages.map(({ message }) => message.id)
}

/** Returns the message of NEXT. */
export async function claim(phone: Caller, extras: Extras = {}): Promise<Message> {
  const reply = await phone.next(extras)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.message
}

/** Reports all due messages as sent, so that NEXT returns none of them. */
export async function drain(phone: Caller): Promise<void> {
  for (;;) {
    const reply = await phone.next()
    if (reply.body.error === 'not_a_message') return
    expect(reply.status, reply.text).toBe(200)
    await done(succeed(phone, reply.body.message.id))
  }
}

export async function subscribe(caller: Caller, fields: Fields): Promise<Subscription> {
  const reply = await caller.post('/subscription', fields)
  expect(reply.status, reply.text).toBe(200)
  const { subscription } = reply.body
  onTestFinished(async () => {
    await caller.delete(`/subscription/${subscription.id}`)
  })
  return subscription
}

/** Opens a receiver with a subscription; both end with the test. */
export async function listenFor(
  caller: Caller,
  event: string,
  fields: Fields = {},
): Promise<Receiver & { subscription: Subscription }> {
  const receiver = await openReceiver()
  const url = `${receiver.url}/hook`
  return {
    ...receiver,
    subscription: await subscribe(caller, { event, url, post: true, ...fields }),
  }
}
