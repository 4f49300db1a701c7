/** One request as bytes (latin1), and the name of its latencies. */
export interface Step {
  readonly name: string
  readonly bytes: string
}

/** The requests of one connection: after each reply the next one. */
export interface Actor {
  /** Port of its server. @default that of the load */
  readonly port?: number
  /** Whether {@link next} needs the body of a reply; otherwise the bytes are only counted. */
  readonly readsBody: boolean
  /** The next request after the last reply; undefined: wait for a call of the attached function. */
  next(body: Buffer | undefined): Step | undefined
  /** Sets the function that makes a waiting actor continue. */
  attach?(wake: () => void): void
}

/** An actor that repeats a list of requests, from its own start. */
export function repeatSteps(steps: readonly Step[], from: number): Actor {
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
