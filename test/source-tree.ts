// The source tree as text: files, imports and functions, for the tests of structure and style.
// `test/architecture.test.ts` checks folders and imports; `test/tidy.test.ts` checks lines, names
// and words. Nothing is compiled: the formatter's layout is what the patterns rely on.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The project's top folder. */
export const projectRoot = join(import.meta.dirname, '..')

/** Files of the project below some top folders, generated and ignored files left out. */
export function listFiles(tops: readonly string[], pattern: RegExp = /\.tsx?$/): string[] {
  const args = ['ls-files', '-co', '--exclude-standard', '--', ...tops]
  const names = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n')
  return [...new Set(names)]
    .filter(name => name !== '' && pattern.test(name))
    .filter(name => existsSync(join(projectRoot, name)))
    .sort()
}

/** The text of a file of the project. */
export function readText(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8')
}

/** One import: the importing file, the specifier, and the file if it belongs to the project. */
export interface Import {
  readonly file: string
  readonly specifier: string
  readonly target: string | undefined
}

/** Every import of the files, of types too, static and dynamic. */
export function listImports(files: readonly string[]): Import[] {
  const known = new Set([...files, ...listFiles(['src'], /\.json$/)])
  return files.flatMap(file =>
    findSpecifiers(readText(file)).map(specifier => {
      const target = resolveImport(file, specifier, known)
      return { file, specifier, target }
    }),
  )
}

function findSpecifiers(text: string): string[] {
  const found = text.matchAll(/(?:^|[\s;(])(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return [...found].map(match => match[1] ?? '')
}

function resolveImport(
  file: string,
  specifier: string,
  known: ReadonlySet<string>,
): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = normalize(join(dirname(file), specifier))
  const candidates = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path]
  return candidates.find(candidate => known.has(candidate))
}

/** Cycles of a graph: each strongly connected component of two nodes or more. */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...edges.keys()].map(node => [node, reachable(node, edges)]))
  const cycles = new Map<string, string[]>()
  for (const [node, nodes] of reach) {
    if (!nodes.has(node)) continue
    const cycle = [...nodes].filter(other => reach.get(other)?.has(node)).sort()
    cycles.set(cycle.join(' '), cycle)
  }
  return [...cycles.values()]
}

function reachable(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const waiting = [...(edges.get(from) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    waiting.push(...(edges.get(node) ?? []))
  }
  return seen
}

/** A function or method: where it begins and how many lines it has. */
export interface SourceFunction {
  readonly file: string
  readonly line: number
  readonly name: string
  readonly lines: number
}

const declaration = /^(?:export )?(?:default )?(?:async )?function\s*\*?\s*(\w+)/
const arrow = new RegExp(
  '^(?:export )?const (\\w+)(?:: .*)? = (?:async )?(?:<.*>)?' +
    '(?:\\w+ =>|\\((?!.*\\)$)|\\(.*\\)(?:: .*)? =>)',
)

/** The top-level functions of a file, arrow functions of constants included. */
export function findTopLevelFunctions(file: string): SourceFunction[] {
  const lines = readText(file).split('\n')
  return lines.flatMap((line, index) => {
    const name = (declaration.exec(line) ?? arrow.exec(line))?.[1]
    if (name === undefined || !isFunction(lines, index)) return []
    return [{ file, line: index + 1, name, lines: countLines(lines, index, '') }]
  })
}

function isFunction(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (/function/.test(line) || line.includes('=>')) return true
  const end = lines.findIndex((each, at) => at > index && /^\)/.test(each))
  return end !== -1 && (lines[end] ?? '').includes('=>')
}

const method = /^ {2}(?:(?:static|async|override|get|set) )*\*?#?\w+(?:<.*>)?\(.*[{(,]$/

/** The methods of the classes of a file. */
export function findMethods(file: string): SourceFunction[] {
  const lines = readText(file).split('\n')
  return lines.flatMap((line, index) => {
    if (!method.test(line) || /^ {2}(?:if|for|while|switch|return)\b/.test(line)) return []
    const name = line.trim().replace(/\(.*/, '')
    return [{ file, line: index + 1, name, lines: countLines(lines, index, '  ') }]
  })
}

function countLines(lines: readonly string[], from: number, indent: string): number {
  if (/(?:[^{(,]|\}|\))$/.test(lines[from] ?? '') && !/[{(,]$/.test(lines[from] ?? '')) return 1
  const end = lines.findIndex((each, at) => at > from && new RegExp(`^${indent}[})]`).test(each))
  if (end === -1) return 1
  // A parameter list of several lines ends before the body does.
  if (/[{(]$/.test(lines[end] ?? '')) {
    const body = lines.findIndex((each, at) => at > end && new RegExp(`^${indent}[})]`).test(each))
    return (body === -1 ? end : body) - from + 1
  }
  return end - from + 1
}
