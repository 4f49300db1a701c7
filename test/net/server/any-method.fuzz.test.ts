import http from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MethodRewriter } from '../../../src/net/server/method-rewriter.js'
import { isPlainRequest } from '../../../src/net/server/plain-request.js'
import { longestMethod } from '../../../src/net/server/request-parser.js'
import { RequestTracker } from '../../../src/net/server/request-tracker.js'
import { exchange, listen, recorder, type Seen } from './raw-server.js'

const known = new Set(http.METHODS)
const tchars = "!#$%&'*+-.^_`|~0123456789ABCXYZabcxyz"
const seed = 20_991
const token = fc.string({
  unit: fc.constantFrom(...tchars),
  minLength: 1,
  maxLength: longestMethod,
})
const unknownMethod = fc
  .oneof(token, fc.constantFrom('NEXT', 'get', 'Post', 'PO', 'POSTS', 'PLAY', 'OST'))
  .filter(method => !known.has(method) && method !== 'PRI')
const text = fc.string({ unit: fc.constantFrom(...'ab:;,= "%/\t'), maxLength: 12 })
const field = fc.tuple(fc.constantFrom('X-A', 'x-a', 'Cookie', 'Referer', 'Accept'), text)
const fieldLines = fc
  .array(field, { maxLength: 4 })
  .map(list => list.map(([name, value]) => `${name}:${value}\r\n`).join(''))
const content = fc.string({ unit: fc.constantFrom(...'ab\r\n0: /NEXT'), maxLength: 30 })
const extension = fc.constantFrom('', ';a', ';a=b', ';a="b c"')

const chunked = fc
  .tuple(fc.array(fc.tuple(content, extension), { maxLength: 3 }), fieldLines)
  .map(([chunks, trailers]) => {
    const parts = chunks
      .filter(([data]) => data !== '')
      .map(([data, ext]) => `${data.length.toString(16)}${ext}\r\n${data}\r\n`)
    return `Transfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n${trailers}\r\n`
  })
const sized = content.map(data => `Content-Length: ${data.length}\r\n\r\n${data}`)
const rest = fc
  .tuple(
    fc.constantFrom('/', '/a?b=c', '*', 'http://x/y', '/%20'),
    fieldLines,
    fc.constantFrom('', 'Expect: 100-continue\r\n'),
    fc.oneof(fc.constant('\r\n'), sized, chunked),
  )
  .map(([url, fields, expectation, body]) => {
    return ` ${url} HTTP/1.1\r\nHost: a\r\n${fields}${expectation}${body}`
  })
const method = fc.oneof(unknownMethod, fc.constantFrom('GET', 'POST', 'QUERY', 'PATCH'))
const requests = fc.array(fc.record({ method, rest, gap: fc.constantFrom('', '\r\n') }), {
  minLength: 1,
  maxLength: 5,
})
// Not fc.double: most of its values are next to 0.
const cuts = fc.array(
  fc.nat(999).map(n => n / 1000),
  { maxLength: 8 },
)
const ending = ' /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

function cut(bytes: string, where: number[]): string[] {
  const at = [0, ...where.map(share => Math.floor(share * bytes.length)), bytes.length]
  at.sort((a, b) => a - b)
  return at
    .slice(1)
    .map((end, i) => bytes.slice(at[i], end))
    .filter(piece => piece !== '')
}

async function twoServers() {
  const both = await Promise.all(
    [true, false].map(async any => {
      const seen: Seen[] = []
      const errors: unknown[] = []
      const server = http.createServer(recorder(seen))
      // Reading the bare server's sockets too makes both parsers work from the same pieces.
      server.on('connection', socket => socket.on('data', () => {}))
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        errors.push(error.code)
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
      })
      return { seen, errors, port: await listen(server, any) }
    }),
  )
  return async (pieces: [string[], string[]], halfClose = false) => {
    const outcomes = both.map(async ({ seen, errors, port }, i) => {
      const reply = await exchange(port, pieces[i] ?? [], halfClose)
      return { reply, seen: seen.splice(0), errors: errors.splice(0) }
    })
    return Promise.all(outcomes)
  }
}

test('requests with any method are seen and answered like the same bytes with POST', async () => {
  const run = await twoServers()
  await fc.assert(
    fc.asyncProperty(requests, cuts, async (list, where) => {
      const bytes = (name: (method: string) => string) =>
        `${list.map(one => one.gap + name(one.method) + one.rest).join('')}NEXT${ending}`.replace(
          `NEXT${ending}`,
          name('NEXT') + ending,
        )
      const standIn = (name: string) => (known.has(name) ? name : 'POST')
      const [any, plain] = await run([
        cut(
          bytes(name => name),
          where,
        ),
        cut(bytes(standIn), where),
      ])
      expect(any?.seen.map(entry => entry.method)).toEqual([...list.map(one => one.method), 'NEXT'])
      const asPlain = any?.seen.map(entry => ({ ...entry, method: standIn(entry.method ?? '') }))
      expect({ ...any, seen: asPlain }).toEqual(plain)
    }),
    { seed, interruptAfterTimeLimit: 3_000, numRuns: 400 },
  )
})

/** Replaces, drops or inserts one character, out of those that matter to a parser. */
const mutation = fc.tuple(
  fc.double({ min: 0, max: 0.999, noNaN: true }),
  fc.nat(2),
  fc.constantFrom(
    ...'\r\n: \t;,0159aGé\0',
    '\r\n',
    '\r\n\r\n',
    'Content-Length: 1\r\n',
    'chunked',
    'Upgrade: x\r\n',
  ),
)

function mutate(bytes: string, list: [number, number, string][]): string {
  return list.reduce((now, [share, drop, add]) => {
    const at = Math.floor(share * now.length)
    return now.slice(0, at) + add + now.slice(at + drop)
  }, bytes)
}

const knownRequests = fc
  .array(fc.tuple(fc.constantFrom('GET', 'POST', 'PUT', 'CONNECT'), rest), {
    minLength: 1,
    maxLength: 3,
  })
  .map(list => list.map(([name, after]) => name + after).join(''))
const mutated = fc
  .tuple(knownRequests, fc.array(mutation, { maxLength: 3 }))
  .map(([bytes, list]) => `${mutate(bytes, list)}GET${ending}`)

/** Whether a mutation made a line that begins with a method of its own. */
function makesMethod(bytes: string): boolean {
  const lines = bytes.matchAll(/([!#$%&'*+\-.^_`|~\w]{1,16}) [^ \r\n]+ HTTP\/1\.[01]\r\n/g)
  return [...lines].some(([, name]) => name !== undefined && !known.has(name))
}

test('broken bytes with known methods come to the same end as on a bare server', async () => {
  const run = await twoServers()
  await fc.assert(
    fc.asyncProperty(mutated, async bytes => {
      fc.pre(!makesMethod(bytes))
      const [any, plain] = await run([[bytes], [bytes]], true)
      expect(any).toEqual(plain)
    }),
    { seed, interruptAfterTimeLimit: 4_000, numRuns: 400 },
  )
})

const fresh = () => new MethodRewriter({ known, secret: 'secret', longestLine: 4_096 })
const join = (pieces: (Buffer | undefined)[]) => {
  return Buffer.concat(pieces.filter(piece => piece !== undefined)).toString('latin1')
}

test('the rewriter gives out the same bytes however they are cut', () => {
  fc.assert(
    fc.property(requests, fc.array(mutation, { maxLength: 2 }), cuts, (list, changes, where) => {
      const bytes = mutate(list.map(one => one.gap + one.method + one.rest).join(''), changes)
      fc.pre(!/upgrade/i.test(bytes))
      const given = (pieces: string[]) => {
        const rewriter = fresh()
        return join([
          ...pieces.map(piece => rewriter.feed(Buffer.from(piece, 'latin1'))),
          rewriter.release(),
        ])
      }
      expect(given(cut(bytes, where))).toBe(given([bytes]))
      expect(given([...bytes])).toBe(given([bytes]))
    }),
    { seed, interruptAfterTimeLimit: 2_000, numRuns: 3_000 },
  )
})

test('what the short way takes for a plain request is one for the long way too', () => {
  const head = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 4)
  const single = fc.tuple(method, rest).map(parts => head(parts.join('')))
  fc.assert(
    fc.property(single, fc.array(mutation, { maxLength: 2 }), (request, changes) => {
      const chunk = Buffer.from(mutate(request, changes), 'latin1')
      fc.pre(isPlainRequest(chunk, known))
      const tracker = new RequestTracker()
      let at = 0
      while (at < chunk.length && at >= 0) at = tracker.advance(chunk, at)
      // llhttp takes some control characters in a target for an error and none for an end.
      if (at >= 0) expect([at, tracker.betweenRequests]).toEqual([chunk.length, true])
      else
        expect(chunk.toString('latin1')).not.toMatch(
          /\r(?!\n)|[^\r]\n|\n(content-length|transfer-)/i,
        )
    }),
    { seed, interruptAfterTimeLimit: 2_000, numRuns: 2_000, maxSkipsPerRun: 1_000 },
  )
})
