import { expect } from 'vitest'
import { createDue } from '../../acts.js'
import { type Caller, type Fields, json, type Reply } from '../../calls.js'

export interface Result {
  id?: string
  status: number
  message?: { id: string; status: string }
  error?: string
  error_description?: string
}

export const askBatch = (phone: Caller, prefer: string): Promise<Reply> =>
  phone.next({ headers: { prefer } })

export async function nextBatch(
  phone: Caller,
  prefer: string,
): Promise<{ ids: string[]; claim: number; lease: number; applied: string | null }> {
  const reply = await askBatch(phone, prefer)
  expect(reply.status, reply.text).toBe(200)
  const { messages, claim, lease } = JSON.parse(reply.text)
  const ids = messages.map((each: { message: { id: string } }) => each.message.id)
  return { ids, claim, lease, applied: reply.headers.get('preference-applied') }
}

export async function createMany(api: Caller, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await createDue(api)).id)
  return ids
}

export const postBatch = (caller: Caller, path: string, items: unknown): Promise<Reply> =>
  caller.call('POST', path, json(items))

export async function readResults(reply: Promise<Reply>): Promise<Result[]> {
  const { status, text } = await reply
  expect(status, text).toBe(200)
  return JSON.parse(text).results
}

export const report = (caller: Caller, outcomes: Fields[]): Promise<Result[]> =>
  readResults(postBatch(caller, '/message/report', outcomes))
