import { expect, onTestFinished } from 'vitest'

/** A block of a stream: its lines by field; a comment has the field ''. */
export type Block = Readonly<Record<string, string>>

export interface EventReader {
  readonly response: Response
  /** The next block; undefined at the end. */
  next(): Promise<Block | undefined>
  /** The next block with data. */
  event(): Promise<Block | undefined>
  /** All blocks with data up to the end. */
  rest(): Promise<Block[]>
  close(): void
}

/** Opens an event stream, and closes it at the end of the test. */
export async function openStream(
  baseUrl: string,
  token: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const response = await fetch(`${baseUrl}/api/1/event${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    signal: ending.signal,
  })
  expect(response.status).toBe(200)
  const blocks = blocksOf(response)
  const next = async () => (await blocks.next()).value as Block | undefined
  const event = async () => {
    for (;;) {
      const block = await next()
      if (block === undefined || block.data !== undefined) return block
    }
  }
  const rest = async () => {
    const all: Block[] = []
    for (let one = await event(); one !== undefined; one = await event()) all.push(one)
    return all
  }
  return { response, next, event, rest, close: () => ending.abort() }
}

async function* blocksOf(response: Response): AsyncGenerator<Block, undefined> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      yield Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s)))
    }
  }
}
