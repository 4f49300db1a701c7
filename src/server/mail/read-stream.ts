import type { Readable } from 'node:stream'
import { SmtpRejection } from './smtp-reply.js'

/** The bytes of a mail, read to its end. Throws {@link Refusal} when there are more than `most`, or it breaks off. */
export async function readBytes(stream: Readable, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= most) chunks.push(chunk)
      else chunks.length = 0
    }
  } catch {
    throw new SmtpRejection(451, '4.4.2 The mail broke off.')
  }
  if (size <= most) return Buffer.concat(chunks)
  throw new SmtpRejection(552, `5.3.4 A mail must have at most ${most} bytes.`)
}
