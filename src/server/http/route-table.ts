/** What a path stands for, and the values of its parameters. */
export interface Found<T> {
  readonly route: T
  readonly params: Readonly<Record<string, string>>
}

interface Pattern<T> {
  readonly shape: RegExp
  readonly names: readonly string[]
  readonly route: T
}

const none = {}

/**
 * Finds what stands at a path, as Express would, but without trying one path after the other: parameters such as
 * `:id` stand for one segment, letter case counts, and a slash at the end does not.
 */
export class RouteTable<T> {
  readonly #exact = new Map<string, Found<T>>()
  readonly #patterns: Pattern<T>[] = []

  /** Adds a path; of two that fit, the one without parameters counts, then the one that was added first. */
  add(path: string, route: T): void {
    if (!path.includes(':')) {
      this.#exact.set(path, { route, params: none })
      this.#exact.set(`${path}/`, { route, params: none })
      return
    }
    const names: string[] = []
    const shape = path.replace(/[.]|:(\w+)/g, (found, name: string | undefined) => {
      if (name === undefined) return `\\${found}`
      names.push(name)
      return '([^/]+)'
    })
    this.#patterns.push({ shape: new RegExp(`^${shape}/?$`), names, route })
  }

  /** What stands at a path as it was sent. Throws `URIError` for a parameter with a malformed percent-encoding. */
  find(path: string): Found<T> | undefined {
    const exact = this.#exact.get(path)
    if (exact !== undefined) return exact
    for (const { shape, names, route } of this.#patterns) {
      const match = shape.exec(path)
      if (match === null) continue
      const params = names.map((name, at) => [name, decode(match[at + 1] ?? '')])
      return { route, params: Object.fromEntries(params) }
    }
    return undefined
  }
}

function decode(segment: string): string {
  return segment.includes('%') ? decodeURIComponent(segment) : segment
}
