export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const codes = { quote: 0x22, colon: 0x3a, backslash: 0x5c, open: 0x7b, close: 0x7d } as const

/** Finds a name that occurs twice in an object, at any depth, of JSON that is valid. */
export function findRepeatedName(json: string): string | undefined {
  /** The names so far of each object around the position, the innermost last. */
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === codes.open) open.push(new Set())
    else if (code === codes.close) open.pop()
    else if (code === codes.quote) {
      const end = findStringEnd(json, at)
      const name = isFollowedByColon(json, end) ? readString(json.slice(at, end)) : undefined
      const names = open.at(-1)
      if (name !== undefined && names?.has(name)) return name
      if (name !== undefined) names?.add(name)
      at = end - 1
    }
  }
  return undefined
}

function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json.charCodeAt(first - 1) === codes.backslash) first -= 1
  return (at - first) % 2 === 1
}

function isFollowedByColon(json: string, from: number): boolean {
  let at = from
  // Space, tab and line ends are below all other characters outside of strings.
  while (json.charCodeAt(at) <= 0x20) at += 1
  return json.charCodeAt(at) === codes.colon
}

function readString(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}
