export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds a name that occurs twice in an object, at any depth, of JSON that is valid. */
export function findRepeatedName(json: string): string | undefined {
  /** The names so far of each object around the position, the innermost last. */
  const open: Set<string>[] = []
  const token = /["{}]/g
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    if (found[0] === '{') open.push(new Set())
    else if (found[0] === '}') open.pop()
    else {
      const end = findStringEnd(json, found.index)
      token.lastIndex = end
      if (!isFollowedByColon(json, end)) continue
      const quoted = json.slice(found.index, end)
      const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
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
  while (json[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

function isFollowedByColon(json: string, from: number): boolean {
  const next = /[^ \t\r\n]/g
  next.lastIndex = from
  return next.exec(json)?.[0] === ':'
}
