import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Clock } from '../../util/async/clock.js'
import { readFileVersion } from '../../util/files/file-version.js'

/** Milliseconds between two checks whether the file has changed. */
const checkInterval = 1000

/**
 * The content of a resolver's file, such as resolv.conf, which is read again when it has changed. A
 * missing file is empty.
 */
export class WatchedFile<T> {
  readonly #path: string
  readonly #parse: (text: string) => T
  readonly #clock: Clock
  #version = ''
  #content: T | undefined
  #reading: Promise<T> | undefined
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(path: string, parse: (text: string) => T, clock: Clock) {
    this.#path = path
    this.#parse = parse
    this.#clock = clock
  }

  async read(): Promise<T> {
    const isRecent = this.#clock.monotonic() - this.#checkedAt < checkInterval
    if (isRecent && this.#content !== undefined) return this.#content
    this.#reading ??= this.#check().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #check(): Promise<T> {
    const version = await readFileVersion(this.#path)
    if (this.#content === undefined || version !== this.#version) {
      this.#content = this.#parse(await readFile(this.#path, 'utf8').catch(() => ''))
      this.#version = version
    }
    this.#checkedAt = this.#clock.monotonic()
    return this.#content
  }
}

/** The addresses of each name in a hosts file; names in lower case. */
export type HostsFile = ReadonlyMap<string, readonly LookupAddress[]>

/** Parses the lines of a hosts file: an address, then its names; a comment begins with `#`. */
export function parseHostsFile(text: string): HostsFile {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split(/\r?\n/)) {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(each => each.toLowerCase())) {
      const addresses = hosts.get(name) ?? []
      hosts.set(name, addresses)
      if (!addresses.some(known => known.address === address)) addresses.push({ address, family })
    }
  }
  return hosts
}

/** How the system completes short names (resolv.conf(5)). */
export interface SearchList {
  readonly domains: readonly string[]
  /** A host name with so many dots is first tried as it is. */
  readonly dots: number
}

/** Limits of the C library for names in DNS. */
const maxDomains = 6
const maxDots = 15

/** Parses `search`, `domain` and `options ndots:` in resolv.conf; the last line of each counts. */
export function parseSearchList(text: string): SearchList {
  let domains: string[] = []
  let dots = 1
  for (const line of text.split(/\r?\n/)) {
    const [keyword, ...values] = line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search') domains = values.slice(0, maxDomains)
    if (keyword === 'domain') domains = values.slice(0, 1)
    const option =
      keyword === 'options' ? values.find(value => /^ndots:\d+$/.test(value)) : undefined
    if (option !== undefined) dots = Math.min(Number(option.slice('ndots:'.length)), maxDots)
  }
  return { domains: domains.map(domain => domain.replace(/\.$/, '')).filter(Boolean), dots }
}

/** Lists the names to ask for, in order. A name that ends with a dot is complete. */
export function listSearchNames(name: string, { domains, dots }: SearchList): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const completed = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length - 1 >= dots ? [name, ...completed] : [...completed, name]
}
