// The differential fuzz test of the HTTP server.
//
// 1. `request-stream` generates a stream of requests from a seed: valid ones, and tricks of
//    `request-parts`.
// 2. `framing` reads it with our parser, in one piece and in several; both must agree.
// 3. `connection-check` sends it through a connection of our server: each accepted request gets one
//    reply, and the connection ends.
// 4. `node-reference` reads the accepted requests with node:http, many on one connection: it must
//    see the same methods, targets, fields and bodies, and no bytes besides.
// 5. The memory of the process may grow only up to a limit.
import { checkConnection } from './connection-check.js'
import { type AcceptedRequest, type Framing, frameStream } from './framing.js'
import { createGrowthMeter } from './memory-growth.js'
import { adaptForNode, expectFromNode, NodeReference } from './node-reference.js'
import { createRequestStream, type RequestStream } from './request-stream.js'

/** What to test. */
export interface FuzzOptions {
  /** Requests to generate, at least. */
  readonly requests: number
  readonly seed: number
  /** The number of the first stream. @default 0 */
  readonly first?: number
  /** Called now and then. */
  readonly onProgress?: (result: FuzzResult) => void
}

/** What was tested. */
export interface FuzzResult {
  readonly streams: number
  readonly requests: number
  readonly accepted: number
  /** Largest growth of the process in MiB. */
  readonly memory: number
}

/** Bytes of a head, small so that some are too long. */
const maxHead = 4096
const maxBatch = 200

interface Accepted extends AcceptedRequest {
  readonly stream: number
  readonly bytes: string
}

/** Tests until enough requests were generated. Rejects at the first difference, with its stream. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { requests, seed, first = 0, onProgress = () => {} } = options
  const node = new NodeReference()
  const result = { streams: 0, requests: 0, accepted: 0, memory: 0 }
  const measureGrowth = createGrowthMeter(1024)
  let batch: Accepted[] = []
  for (let number = first; result.requests < requests; number += 1) {
    const stream = createRequestStream(seed, number)
    const accepted = await readStream(stream, number)
    result.streams += 1
    result.requests += stream.requests
    result.accepted += accepted.length
    const last = accepted.at(-1)
    if (last?.isKeptAlive === false) await compareWithNode(node, [last])
    batch.push(...accepted.filter(each => each.isKeptAlive))
    if (batch.length < maxBatch && result.requests < requests) continue
    await compareWithNode(node, batch)
    batch = []
    result.memory = measureGrowth()
    onProgress(result)
  }
  return result
}

async function readStream(stream: RequestStream, number: number): Promise<Accepted[]> {
  const whole = frameStream({ ...stream, cuts: [] }, maxHead)
  const split = frameStream(stream, maxHead)
  if (summarize(whole) !== summarize(split)) {
    throw new FuzzError(number, stream.bytes, `${summarize(split)} in pieces, ${summarize(whole)}`)
  }
  const wrong = await checkConnection(stream, split, maxHead)
  if (wrong !== undefined) throw new FuzzError(number, stream.bytes, wrong)
  return split.accepted.map(each => ({
    ...each,
    stream: number,
    bytes: stream.bytes.slice(each.from, each.to),
  }))
}

/** Requests of one batch close their connection all, or none of them does. */
async function compareWithNode(node: NodeReference, batch: readonly Accepted[]): Promise<void> {
  const isKeptAlive = batch[0]?.isKeptAlive ?? true
  const bytes = batch.map(each => adaptForNode(each.bytes, each))
  const expected = batch.map(expectFromNode)
  const seen = await node.frame(bytes, isKeptAlive)
  if (seen.error === undefined && JSON.stringify(seen.requests) === JSON.stringify(expected)) return
  const [only, ...others] = batch
  if (only === undefined) throw new Error('node:http reads an empty batch in another way.')
  if (others.length > 0) for (const each of batch) await compareWithNode(node, [each])
  const difference = `node:http reads ${JSON.stringify(seen)}; expected ${JSON.stringify(expected)}`
  throw new FuzzError(only.stream, only.bytes, difference)
}

function summarize({ accepted, error, isIncomplete }: Framing): string {
  return JSON.stringify({ accepted, error, isIncomplete })
}

/** A difference, and how to see it again. */
class FuzzError extends Error {
  override readonly name = 'FuzzError'

  constructor(stream: number, bytes: string, difference: string) {
    super(`Stream ${stream}: ${difference}\nBytes: ${JSON.stringify(bytes)}`)
  }
}
