interface Value {
  readonly real: unknown
  readonly printed: unknown
}

const inText = /\$([A-Za-z_]+)/g
const wholeText = /"\$([A-Za-z_]+)"/g

/** The values that stand for `$name` in examples: the real ones, and those that are printed. */
export class ExampleValues {
  readonly #values = new Map<string, Value>()

  set(name: string, real: unknown, printed: unknown = real): void {
    this.#values.set(name, { real, printed })
  }

  /** Fills in values; throws if a name has no value. */
  fill(text: string, kind: keyof Value): string {
    return text.replace(inText, (_, name: string) => String(this.#get(name)[kind]))
  }

  /** Fills in values in JSON, where a text that is only `$name` can become a number. */
  fillJson(value: unknown, kind: keyof Value): unknown {
    const json = JSON.stringify(value)
      .replace(wholeText, (_, name: string) => JSON.stringify(this.#get(name)[kind]))
      .replace(inText, (_, name: string) => {
        return JSON.stringify(String(this.#get(name)[kind])).slice(1, -1)
      })
    return JSON.parse(json)
  }

  /** Replaces the real values in the text of a reply by those that are printed. */
  print(text: string): string {
    return [...this.#values.values()]
      .filter(({ real, printed }) => real !== printed)
      .reduce((printed, value) => {
        return printed.replaceAll(String(value.real), String(value.printed))
      }, text)
  }

  #get(name: string): Value {
    const value = this.#values.get(name)
    if (value === undefined) throw new Error(`No reply before this one has $${name}.`)
    return value
  }
}
