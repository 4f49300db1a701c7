/** One request as its bytes (latin1), and the name its latency is counted under. */
export interface Step {
  readonly name: string
  readonly bytes: string
}

/** What one connection does: a request, and after each reply another one. */
export interface Actor {
  /** Whether {@link next} needs the body of a reply; without it the bytes are only counted. */
  readonly readsBody: boolean
  /** The next request, given the body of the last reply; `undefined` waits for the function given to `attach`. */
  next(body: Buffer | undefined): Step | undefined
  /** Gives the function that makes a waiting actor ask again. */
  attach?(wake: () => void): void
}

/** An actor that goes through a list of requests again and again, from a place of its own. */
export function repeating(steps: readonly Step[], from: number): Actor {
  let at = from % steps.length
  return {
    readsBody: false,
    next: () => {
      const step = steps[at]
      at = at + 1 === steps.length ? 0 : at + 1
      return step
    },
  }
}
