import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionLimits } from '../../../src/domain/limits.js'
import { openService, requestBytes } from './rig.js'

type Service = Awaited<ReturnType<typeof openService>>

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json' }
const create = 'message={"destination":"%2B12025550123","message":"h%C3%A9llo"}'
/** What stands for a token in a request; as long as one, so that every service gets pieces of the same lengths. */
const [api, phone] = ['A'.repeat(47), 'P'.repeat(47)]
const among = <T>(...values: T[]) => fc.constantFrom(...values)

const known = among(
  ...['GET /api/1/user', 'GET /api/1/message', 'NEXT /api/1/message', 'GET /api/1/message/next'],
  ...['GET /api/1/subscription', 'GET /api/1/blocklist', 'GET /api/1/event', 'GET /api/1/phone'],
  ...['GET /api/1/message/00000000-0000-7000-8000-000000000002', 'GET /api/1/message/queue'],
  ...['GET /api/1/message?filter=%7B%22count%22%3A2%7D', 'GET /api/1/message?filter=%zz'],
  ...['GET /oauth', 'GET /oauth/revoke?token=x', 'OPTIONS /api/1/message', 'BREW /api/1/user'],
  ...['GET /api/1/message/%zz', 'GET /api/1/message/%e2%82%ac', 'get /oauth', 'GET /api/1/user/'],
)
const unknown = among('GET /', 'GET /nothing', 'OPTIONS /u/x', 'GET //oauth', 'TRACE /x?a#b')
const line = fc.oneof({ arbitrary: known, weight: 20 }, unknown)
const credentials = among(
  ...[{ Authorization: `Bearer ${api}` }, { Authorization: `Bearer ${api}` }],
  ...[{ authorization: `bearer  ${phone}` }, { AUTHORIZATION: `Bearer ${phone}  ` }],
  ...[{ Authorization: 'Bearer wrong' }, { Authorization: 'Basic YTpi' }, {}],
)
const usual = among<Record<string, string>>(
  ...[{}, {}, { Accept: '*/*' }, { 'User-Agent': 'a b/1', Connection: 'keep-alive' }],
  ...[{ Prefer: 'wait=0' }, { Cookie: 'a=b; c=d' }, { 'X-Phone-Name': 'one', 'X-Empty': '' }],
)
const rare = among<Record<string, string>>(
  ...[{ Connection: 'Keep-Alive, TE', TE: 'trailers' }, { 'X-A': '\tb\t' }, { 'X-A': 'h\xe9' }],
  ...[{ Expect: '100-continue' }, { Expect: 'x' }, { Upgrade: 'h2c', Connection: 'Upgrade' }],
  ...[{ 'Set-Cookie': 'a' }, { __proto__x: 'a', constructor: 'b' }, { host: 'other' }],
)
const fields = fc.oneof({ arbitrary: usual, weight: 9 }, rare)
const read = fc.tuple(line, credentials, fields).map(([start, who, others]) => {
  return requestBytes(start, { ...who, ...others })
})
const text = fc.oneof(among('', '{}', '[', 'a=b', create, 'token=x'), fc.string({ maxLength: 40 }))
const write = fc
  .tuple(
    among('POST /api/1/message', 'POST /oauth/revoke', 'PATCH /api/1/message/x', 'GET /oauth'),
    credentials,
    among<Record<string, string>>(form, json, {}, { ...json, 'Content-Encoding': 'gzip' }),
    fc.oneof(among(create), text),
  )
  .map(([start, who, type, body]) => requestBytes(start, { ...who, ...type }, body))
const chunked = fc.tuple(credentials, text).map(([who, body]) => {
  const head = { ...who, ...form, 'Transfer-Encoding': 'chunked' }
  const bytes = Buffer.byteLength(body)
  const chunk = bytes === 0 ? '' : `${bytes.toString(16)}\r\n${body}\r\n`
  return `${requestBytes('POST /api/1/message', head)}${chunk}0\r\n\r\n`
})
const head = credentials.map(who => requestBytes('HEAD /api/1/user', who))
/** Requests, and how many replies they have: those that change something go alone. */
const step = fc.oneof(
  { arbitrary: read.map(bytes => ({ bytes, replies: 1 })), weight: 12 },
  { arbitrary: write.map(bytes => ({ bytes, replies: 1 })), weight: 8 },
  { arbitrary: fc.oneof(chunked, head).map(bytes => ({ bytes, replies: 1 })), weight: 1 },
  {
    arbitrary: fc.array(read, { minLength: 2, maxLength: 3 }).map(all => {
      return { bytes: all.join(''), replies: all.length }
    }),
    weight: 1,
  },
)
/** Evenly spread, which doubles are not. */
const share = fc.nat(999).map(n => n / 1000)
const mutation = fc.tuple(
  share,
  fc.nat(2),
  among(
    ...[
      '\r',
      '\n',
      ':',
      ' ',
      '\t',
      ';',
      '0',
      '1',
      '9',
      'a',
      'é',
      '\0',
      '\r\n',
      '\r\n\r\n',
      '\r\n ',
    ],
    ...['\r\nContent-Length: 1\r\n', '\r\nTransfer-Encoding: chunked\r\n', '\r\nUpgrade: x\r\n'],
    ...['\r\nConnection: close\r\n', '\r\nHost: b\r\n', '\r\nExpect: 100-continue\r\n'],
  ),
)
/** A broken request, after which the connection ends, or can be ended. */
const broken = fc
  .tuple(fc.oneof(read, write, chunked), fc.array(mutation, { maxLength: 2 }))
  .map(([bytes, list]) =>
    list.reduce((now, [share, drop, add]) => {
      const at = Math.floor(share * now.length)
      return now.slice(0, at) + add + now.slice(at + drop)
    }, bytes),
  )
const last = requestBytes('GET /api/1/user', { Connection: 'close' })
const cuts = fc.array(share, { maxLength: 4 })

const forever = Number.POSITIVE_INFINITY

test('every reply is what it is without the fast path, however the bytes are cut', async () => {
  const services = await Promise.all([open(false), open(false), open(true), open(true)])
  const [bare, bareInPieces, whole, pieces] = services
  const impatient = await open(false, { headTimeout: 200, requestTimeout: 200 })
  let [taken, replies] = [0, 0]
  const count = () => {
    taken += whole.server.fast.size
    replies += 1
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), broken, cuts, async (steps, odd, where) => {
      const end = [
        { bytes: odd, replies: 0 },
        { bytes: last, replies: forever },
      ]
      // What only a timer ends would make the test depend on how busy the machine is.
      fc.pre(!(await talk(impatient, end)).includes('HTTP/1.1 408 '))
      const all = [...steps, ...end]
      const [expected, expectedInPieces, atOnce, inPieces] = await Promise.all([
        talk(bare, all),
        talk(bareInPieces, all, where),
        talk(whole, all, [], count),
        talk(pieces, all, where),
      ])
      expect(atOnce).toBe(expected)
      // How far node comes before it meets what is broken depends on the pieces.
      expect([expected, expectedInPieces]).toContain(endedEarly(inPieces, expected))
    }),
    { seed: 20_991, numRuns: 300, interruptAfterTimeLimit: 3_500 },
  )
  expect(services.flatMap(({ defects }) => defects)).toEqual([])
  expect(replies).toBeGreaterThan(20)
  expect(taken / replies).toBeGreaterThan(0.5)
})

async function open(fast: boolean, limits: Partial<ConnectionLimits> = {}): Promise<Service> {
  const service = await openService({ fast, limits, now: () => Date.UTC(2030, 0, 1) })
  onTestFinished(service.end)
  return service
}

interface Sent {
  readonly bytes: string
  /** How many replies to wait for. */
  readonly replies: number
}

/**
 * Sends one after the other, each cut into packets, and resolves to all that came back until the connection was closed.
 */
async function talk(
  service: Service,
  all: Sent[],
  where: readonly number[] = [],
  answered = () => {},
): Promise<string> {
  const connected = once(service.server, 'connection') as Promise<[Socket]>
  const socket = connect({ port: service.port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', text => {
    received += text
  })
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const [theirs] = await connected
  let [wanted, sent] = [0, 0]
  for (const { bytes, replies } of all) {
    for (const piece of cutAt(withTokens(bytes, service), where)) {
      socket.write(piece, 'latin1')
      sent += piece.length
      while (theirs.bytesRead < sent && !theirs.destroyed) await setImmediate()
    }
    wanted += replies
    while (countReplies(received) < wanted && !socket.destroyed) {
      await Promise.race([new Promise(resolve => socket.once('data', resolve)), closed])
    }
    if (replies > 0 && replies < forever && !socket.destroyed) answered()
  }
  await closed
  return received.replaceAll(/\r\nDate: [^\r]*/g, '')
}

const refusal = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

/**
 * What came back, without the replies that a refusal overtakes where the broken bytes come at once with what is before
 * them.
 */
function endedEarly(received: string, expected: string): string {
  const before = expected.slice(0, -refusal.length)
  const isEarly = expected.endsWith(refusal) && received.endsWith(refusal)
  return isEarly && received.startsWith(before) ? expected : received
}

function countReplies(received: string): number {
  return [...received.matchAll(/HTTP\/1\.1 [2-5]\d\d /g)].length
}

function withTokens(text: string, { tokens }: Service): string {
  return text.replaceAll(api, tokens.api).replaceAll(phone, tokens.phone)
}

function cutAt(bytes: string, where: readonly number[]): string[] {
  const at = [0, ...where.map(share => Math.floor(share * bytes.length)), bytes.length]
  at.sort((a, b) => a - b)
  return at.slice(1).map((to, n) => bytes.slice(at[n], to))
}
