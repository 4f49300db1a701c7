import { createSeededRandom } from '../../src/util/crypto/seeded-random.js'
import { chunkLines, codings, contents, lengths, trailers } from './body-parts.js'
import {
  fields,
  gaps,
  hosts,
  lineEnds,
  methods,
  noise,
  targets,
  versions,
} from './request-parts.js'

/** The bytes of one connection: several requests, valid or not, in the pieces that arrive. */
export interface RequestStream {
  /** As latin1. */
  readonly bytes: string
  /** Where the bytes are split. */
  readonly cuts: readonly number[]
  readonly requests: number
}

const maxRequests = 8
const bytewise = 0.02

/** Generates the stream with this number; it depends on nothing but the seed and the number. */
export function createRequestStream(seed: number, number: number): RequestStream {
  const generator = new Generator(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (number * 2654435761))
  return generator.createStream()
}

class Generator {
  readonly #random: () => number
  /** Whether tricks are left to fields, lengths and chunks, so that more requests are accepted. */
  #isTidy = false

  constructor(seed: number) {
    this.#random = createSeededRandom(seed)
  }

  createStream(): RequestStream {
    this.#isTidy = this.#happens(0.7)
    const requests = 1 + this.#below(maxRequests)
    let bytes = ''
    for (let n = 0; n < requests; n += 1) bytes += this.#tidy('', gaps) + this.#createRequest()
    if (!this.#isTidy && this.#happens(0.3)) bytes = this.#mutate(bytes)
    return { bytes, cuts: this.#createCuts(bytes.length), requests }
  }

  #createRequest(): string {
    const version = this.#tidy(' HTTP/1.1', versions)
    const line = `${this.#choose(methods)} ${this.#choose(targets)}${version}`
    const lines = [line, this.#tidy('Host: a', hosts)]
    while (this.#happens(0.4)) lines.push(this.#choose(fields))
    if (this.#happens(0.002)) lines.push(...Array<string>(95 + this.#below(10)).fill('X: y'))
    const content = this.#choose(contents)
    const kind = this.#random()
    let body = ''
    if (kind < 0.25) {
      lines.push(this.#choose(lengths).replaceAll('N', String(content.length)))
      body = content
    } else if (kind < 0.5) {
      lines.push(this.#choose(codings))
      body = this.#createChunks(content)
    }
    if (this.#happens(0.1)) lines.push(lines.splice(1, 1)[0] ?? '')
    return (
      lines.map(each => each + this.#tidy('\r\n', lineEnds)).join('') +
      this.#tidy('\r\n', lineEnds) +
      body
    )
  }

  #createChunks(content: string): string {
    let chunks = ''
    for (let n = this.#below(4); n > 0; n -= 1) {
      const size = content.length.toString(16)
      const line = this.#choose(chunkLines)
      const end = this.#happens(0.01) ? this.#choose(lineEnds) : '\r\n'
      chunks += line.replace('N', this.#happens(0.5) ? size.toUpperCase() : size) + content + end
    }
    const last = this.#happens(0.95) ? '0\r\n' : this.#choose(chunkLines).replace('N', '0')
    return `${chunks}${last}${this.#choose(trailers)}${this.#happens(0.99) ? '\r\n' : ''}`
  }

  #mutate(bytes: string): string {
    let changed = bytes
    for (let n = 1 + this.#below(3); n > 0; n -= 1) {
      const at = this.#below(changed.length)
      changed = changed.slice(0, at) + this.#choose(noise) + changed.slice(at + this.#below(3))
    }
    return changed
  }

  #createCuts(length: number): number[] {
    if (this.#happens(bytewise)) return Array.from({ length: length - 1 }, (_, at) => at + 1)
    return Array.from({ length: this.#below(5) }, () => this.#below(length)).sort((a, b) => a - b)
  }

  #tidy(usual: string, choices: readonly string[]): string {
    return this.#isTidy ? usual : this.#choose(choices)
  }

  #choose(choices: readonly string[]): string {
    return choices[this.#below(choices.length)] ?? ''
  }

  #happens(probability: number): boolean {
    return this.#random() < probability
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}
