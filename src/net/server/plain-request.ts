import { isTunnel, LF } from './request-parser.js'

/**
 * Finds a lone CR or LF, a folded line, anything after an empty line, and the fields that say that
 * more follows: where it finds nothing, there is only one way to read a head.
 */
const doubtful = /[^\r]\n|\r(?!\n(?![\t ]|\r\n[\s\S]|content-length|transfer-encoding|upgrade))/i

/** Whether `chunk` is one whole request with a method out of `known` and nothing after its head. */
export function isPlainRequest(chunk: Buffer, known: ReadonlySet<string>): boolean {
  if (chunk[chunk.length - 1] !== LF || chunk[chunk.length - 3] !== LF) return false
  const text = chunk.toString('latin1')
  const method = text.slice(0, Math.max(0, text.indexOf(' ')))
  if (!known.has(method) || isTunnel(method)) return false
  return isPlainTail(text, method.length + 1) && !doubtful.test(text)
}

function isPlainTail(text: string, target: number): boolean {
  const version = text.indexOf(' ', target)
  if (version === target || text.indexOf('\r', target) !== version + ' HTTP/1.1'.length)
    return false
  return text.startsWith(' HTTP/1.1', version)
}
