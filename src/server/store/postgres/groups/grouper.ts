// Concurrent requests of a node share statements.
// - grouper: sends what came during one turn, or during the statement before, as one group
// - array-literal: the values of a group as one parameter for each column
//
// No timer delays a group: it is sent as soon as its connection is free.
import { DatabaseError } from 'pg'
import { getAudit } from '../../audit-scope.js'
import type { CommitAudit } from '../../audit-store.js'

export interface GrouperOptions<Item, Result> {
  /** Runs one statement for several requests; resolves to their results in the same order. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Most requests of one group. @default 500 */
  readonly max?: number
  /** Requests with an equal key are never in the same group. @default no key */
  readonly getKey?: (item: Item) => string | undefined
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export class Grouper<Item, Result> {
  readonly #options: GrouperOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #isRunning = false
  readonly #audited = new WeakMap<CommitAudit, Grouper<Item, Result>>()

  constructor(options: GrouperOptions<Item, Result>) {
    this.#options = options
  }

  /** The requests of an audited call have groups of their own, whose commits have its entry. */
  add(item: Item): Promise<Result> {
    const audit = getAudit()
    return audit === undefined ? this.#add(item) : this.#getAudited(audit).#add(item)
  }

  #getAudited(audit: CommitAudit): Grouper<Item, Result> {
    const grouper = this.#audited.get(audit) ?? new Grouper(this.#options)
    this.#audited.set(audit, grouper)
    return grouper
  }

  #add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      setImmediate(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#takeGroup())
    this.#isRunning = false
  }

  #takeGroup(): Waiting<Item, Result>[] {
    const { max = 500, getKey } = this.#options
    const waiting = this.#waiting
    if (getKey === undefined) {
      this.#waiting = waiting.slice(max)
      return waiting.length > max ? waiting.slice(0, max) : waiting
    }
    const keys = new Set<string>()
    const group: Waiting<Item, Result>[] = []
    this.#waiting = []
    for (const each of waiting) {
      const key = getKey(each.item)
      const fits = group.length < max && (key === undefined || !keys.has(key))
      if (key !== undefined) keys.add(key)
      if (fits) group.push(each)
      else this.#waiting.push(each)
    }
    return group
  }

  /** A value that the database refuses fails alone: its group is sent again in halves. */
  async #send(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.send(group.map(({ item }) => item))
      group.forEach(({ resolve }, at) => {
        resolve(results[at] as Result)
      })
    } catch (error) {
      if (group.length > 1 && error instanceof DatabaseError) {
        const middle = group.length >> 1
        await this.#send(group.slice(0, middle))
        await this.#send(group.slice(middle))
        return
      }
      for (const { reject } of group) reject(error)
    }
  }
}
