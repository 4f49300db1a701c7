import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  followStream,
  type StreamNotice,
} from '../../../src/client/event-stream/event-stream-reader.js'
import { RelayClient, RelayError } from '../../../src/index.js'
import { createClock } from '../../../src/util/async/clock.js'
import { findFreePort } from '../../../tools/ports/free-ports.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'

type Script = (response: ServerResponse, nth: number) => void | Promise<void>

/** Starts a server that answers the n-th request by the script. */
async function serve(script: Script) {
  const positions: string[] = []
  const server = createServer((request, response) => {
    positions.push(request.url ?? '')
    void script(response, positions.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const open = async (after: number, signal: AbortSignal) =>
    await fetch(`http://127.0.0.1:${port}/${after}`, { signal })
  return { positions, open }
}

const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': ok\n\n')
}

const eventText = (sequence: number): string => {
  const event = { sequence, event: 'message.sent', message: { id: `m${sequence}` }, at: 'now' }
  return `id: ${sequence}\nevent: message.sent\ndata: ${JSON.stringify(event)}\n\n`
}

/** Reads `count` notices and passes each on; a wait is recorded and ends at once. */
async function take(
  open: Parameters<typeof followStream>[0],
  count: number,
  options: Partial<Parameters<typeof followStream>[1]> = {},
  onNotice: (notice: StreamNotice) => void = () => {},
) {
  const waits: number[] = []
  const sleep = async (milliseconds: number) => void waits.push(milliseconds)
  const notices: StreamNotice[] = []
  const common = { after: 7, clock: { ...createClock(), sleep }, random: () => 1 }
  for await (const notice of followStream(open, { ...common, ...options })) {
    notices.push(notice)
    onNotice(notice)
    if (notices.length === count) break
  }
  const seen = notices.map(each => (each.type === 'event' ? each.event.sequence : each.type))
  return { notices, seen, waits }
}

test('a lost connection is reopened after the last event', async () => {
  const responses: ServerResponse[] = []
  const { positions, open } = await serve((response, nth) => {
    responses.push(response)
    begin(response)
    response.write(nth === 1 ? eventText(8) : eventText(9) + eventText(20))
  })
  // A connection that is lost before the event is read would lose the event, too.
  const { seen } = await take(open, 6, {}, ({ type }) => {
    if (type === 'event' && responses.length === 1) responses[0]?.destroy()
  })
  expect(seen).toEqual(['open', 8, 'reconnecting', 'open', 9, 20])
  expect(positions).toEqual(['/7', '/8'])
})

test('a stream that the relay ends is reopened after its retry time', async () => {
  const { open } = await serve(response => {
    begin(response)
    response.end('retry: 250\n\n')
  })
  const { seen, waits } = await take(open, 5)
  expect(seen).toEqual(['open', 'reconnecting', 'open', 'reconnecting', 'open'])
  expect(waits).toEqual([250, 250])
})

test('failed attempts have longer and longer waits until one succeeds', async () => {
  const { open } = await serve((response, nth) => {
    if (nth % 8 === 0) begin(response)
    response.statusCode = 502
    response.end('<html>')
  })
  const refusing = async (after: number, signal: AbortSignal) => {
    const response = await open(after, signal)
    if (response.ok) return response
    throw new RelayError('unavailable', 'no')
  }
  const { notices, waits } = await take(refusing, 11)
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000, 2000])
  const attempts = notices.map(each => (each.type === 'reconnecting' ? each.attempt : each.type))
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 'open', 1, 2, 3])
})

test('a silent connection counts as lost, and one with heartbeats does not', async () => {
  const clock = new FakeClock()
  let waits = 0
  const after: FakeClock['after'] = (...timer) => {
    waits += 1
    return clock.after(...timer)
  }
  /** Waits until the client has read the comment of `begin` and so many heartbeats. */
  const waitForReads = async (heartbeats: number) =>
    await expect.poll(() => waits, { interval: 1 }).toBe(2 + heartbeats)
  const { open } = await serve(async (response, nth) => {
    waits = 0
    begin(response)
    if (nth === 1) {
      await waitForReads(0)
      return clock.advance(45_000)
    }
    for (let heartbeats = 0; heartbeats < 5; heartbeats += 1) {
      await waitForReads(heartbeats)
      clock.advance(15_000)
      response.write(':\n\n')
    }
    response.write(eventText(9))
  })
  const { notices, seen } = await take(open, 4, { clock: { sleep: async () => {}, after } })
  expect(seen).toEqual(['open', 'reconnecting', 'open', 9])
  expect(notices[1]).toMatchObject({ error: { code: 'timed_out' } })
})

test('the time that the consumer takes does not count as silence', async () => {
  const { open, positions } = await serve(response => {
    begin(response)
    response.write(eventText(8))
    response.write(eventText(9))
  })
  const clock = new FakeClock()
  const seen: unknown[] = []
  for await (const notice of followStream(open, { after: 7, clock })) {
    seen.push(notice.type)
    clock.advance(60_000)
    if (seen.length === 3) break
  }
  expect([seen, positions.length]).toEqual([['open', 'event', 'event'], 1])
})

test('an error that is not transient is thrown', async () => {
  const open = async () => {
    throw new RelayError('insufficient_scope', 'no')
  }
  await expect(take(open, 1)).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('an aborted signal ends an open stream and a wait', async () => {
  const { open } = await serve((response, nth) => {
    begin(response)
    if (nth > 1) response.end()
  })
  for (const stopAt of ['open', 'reconnecting']) {
    const stop = new AbortController()
    const seen: string[] = []
    for await (const { type } of followStream(open, { after: 0, signal: stop.signal })) {
      seen.push(type)
      if (type === stopAt) setImmediate(() => stop.abort())
    }
    expect(seen.at(-1)).toBe(stopAt)
  }
})

test('a client follows events over expired tokens and restarts of the relay', async () => {
  const dataDir = await temporaryFolder()
  const port = await findFreePort()
  let now = Date.now()
  const settings = { dataDir, port, tokenLifetime: 60, limits: { heartbeat: 20 } }
  const start = async () => {
    const relay = await createRelay(settings, { now: () => now })
    onTestFinished(async () => await relay.stop())
    await relay.start()
    return relay
  }
  const first = await start()
  const keys = await first.administration.createAccount({ email: 'ann@example.com' })
  const credentials = { user: keys.secret_key, password: keys.api_key }
  const startPositions: (string | null)[] = []
  const spying: typeof fetch = async (input, options) => {
    const isStream = new Headers(options?.headers).get('accept') === 'text/event-stream'
    if (isStream) startPositions.push(new URL(String(input)).searchParams.get('after'))
    return await fetch(input, options)
  }
  const client = new RelayClient({ url: first.url, credentials, fetch: spying })
  const send = async () =>
    (await client.messages.create({ destination: '5551212', message: 'hi' })).id
  const expected = [await send(), await send()]
  const seen: string[] = []
  let relay = first
  let ends = 0
  for await (const notice of client.events.follow({ after: -1, waits: { first: 5, max: 50 } })) {
    if (notice.type === 'reconnecting') ends += 1
    const isReopened = notice.type === 'open' && ends > 0
    if (isReopened && seen.length === 1 && expected.length === 2) expected.push(await send())
    if (notice.type !== 'event') continue
    seen.push(notice.event.message?.id ?? '')
    if (seen.length === 1) {
      now += 60_000
      continue
    }
    if (seen.length === 4) break
    await relay.stop()
    relay = await start()
    expected.push(await send())
  }
  // The first reconnection follows the end of the token.
  expect(ends).toBeGreaterThanOrEqual(2)
  expect(seen).toEqual(expected.slice(1))
  // -1 is resolved to a fixed sequence before the stream begins.
  expect(startPositions[0]).toBe('1')
  const { events, last } = await client.events.list({ after: -2, count: 1 })
  expect(events.map(each => each.message?.id)).toEqual(expected.slice(-2, -1))
  expect(last).toBe((events[0]?.sequence ?? 0) + 1)
})
