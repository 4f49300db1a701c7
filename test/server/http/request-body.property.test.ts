import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelay, type Running } from './app-rig.js'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const multipart = 'multipart/form-data; boundary=x'

let at: Running
beforeAll(async () => {
  const opened = await openRelay()
  at = opened.at
  return opened.close
})
afterAll(() => expect(at.defects).toEqual([]))

const draft = { message: { destination: '+12025550143', message: 'hello \u{1f4f1}' } }
const valid: Record<string, string> = {
  [form]: `message=${encodeURIComponent(JSON.stringify(draft.message))}`,
  [json]: JSON.stringify(draft),
  [multipart]:
    '--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n' +
    `${JSON.stringify(draft.message)}\r\n--x--\r\n`,
}
const count = async () =>
  (await at.api.get(`/message?filter=${encodeURIComponent('{"filter":"all","count":100}')}`)).body
    .messages.length

test.each(Object.keys(valid))(
  'property: any bytes as %s are rejected and store nothing',
  async type => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map(text => Buffer.from(text)),
    )
    const before = await count()
    await fc.assert(
      fc.asyncProperty(bytes, async body => {
        const headers = { 'content-type': type }
        const reply = await at.api.call('POST', '/message', {
          headers,
          body: new Uint8Array(body),
        })
        expect([400, 415]).toContain(reply.status)
      }),
      { numRuns: 30 },
    )
    expect(await count()).toBe(before)
  },
)

test.each(Object.keys(valid))('property: a damaged %s is a message or an error', async type => {
  const whole = Buffer.from(valid[type] ?? '')
  const damage = fc.tuple(fc.nat(whole.length), fc.nat(4), fc.uint8Array({ maxLength: 3 }))
  let made = await count()
  await fc.assert(
    fc.asyncProperty(damage, async ([place, cut, put]) => {
      const body = Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)])
      const headers = { 'content-type': type }
      const reply = await at.api.call('POST', '/message', { headers, body: new Uint8Array(body) })
      expect([200, 400]).toContain(reply.status)
      if (reply.status === 200) made += 1
    }),
    { numRuns: 30 },
  )
  expect(await count()).toBe(made)
})
