export interface Problem {
  readonly code: string
  readonly account?: string
  readonly message: string
  /** What only admins see of the problem: a sentence. */
  readonly detail?: string
  readonly hint: string
}

export class ProblemList {
  readonly #problems = new Map<string, Problem>()

  set(problem: Problem): void {
    this.#problems.set(buildKey(problem.code, problem.account), problem)
  }

  clear(code: string, account?: string): void {
    this.#problems.delete(buildKey(code, account))
  }

  has(code: string): boolean {
    return this.#problems.has(buildKey(code))
  }

  list(account: string): Problem[] {
    const all = [...this.#problems.values()]
    return all.filter(each => each.account === undefined || each.account === account)
  }
}

function buildKey(code: string, account = ''): string {
  return `${code} ${account}`
}
