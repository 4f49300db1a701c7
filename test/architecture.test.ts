import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { findCycles, listFiles, listImports, readText } from './source-tree.js'

/**
 * The import table of CONTRIBUTING.md: what each folder may import, by the longest prefix that
 * matches the file. Everything may import `src/errors.ts`. A folder may import itself.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'src/errors.ts': [],
  'src/util': [],
  'src/net': ['src/util'],
  'src/domain': ['src/util'],
  'src/domain/audit': ['src/resources', 'src/domain', 'src/util'],
  'src/resources': ['src/domain', 'src/util'],
  'src/contract': ['src/resources', 'src/domain', 'src/util'],
  'src/client': ['src/resources', 'src/contract', 'src/domain', 'src/net', 'src/util'],
  'src/phone': ['src/resources', 'src/client', 'src/contract', 'src/domain', 'src/net', 'src/util'],
  'src/server/store': ['src/resources', 'src/domain', 'src/net', 'src/util'],
  'src/settings': ['src/domain', 'src/net', 'src/util'],
  'src/server/config': ['src/settings', 'src/domain', 'src/net', 'src/util'],
  'src/server/services': ['src/resources', 'src/server/store', 'src/domain', 'src/net', 'src/util'],
  'src/server/http': [
    'src/resources',
    'src/server/services',
    'src/contract',
    'src/domain',
    'src/net',
    'src/util',
  ],
  ...sameFor(
    ['src/server/api', 'src/server/dashboard', 'src/server/secret-url'],
    [
      ...['src/server/http', 'src/server/services', 'src/contract', 'src/resources', 'src/domain'],
      ...['src/net', 'src/util'],
    ],
  ),
  ...sameFor(
    ['src/server/webhooks', 'src/server/mail', 'src/server/admin'],
    [
      ...[
        'src/server/services',
        'src/server/config',
        'src/contract',
        'src/resources',
        'src/domain',
      ],
      ...['src/net', 'src/util'],
    ],
  ),
  'src/server': ['src/server', 'src/resources', 'src/domain', 'src/net', 'src/util'],
  'src/cli': [
    ...['src/settings', 'src/resources', 'src/client', 'src/contract', 'src/domain', 'src/net'],
    'src/util',
  ],
  'src/cli/phone': [
    ...['src/cli', 'src/phone', 'src/client', 'src/contract', 'src/domain', 'src/net', 'src/util'],
  ],
  commands: [
    'src/resources',
    'src/cli',
    'src/client',
    'src/contract',
    'src/domain',
    'src/net',
    'src/util',
  ],
  ...sameFor(
    [
      ...['commands/account', 'commands/config', 'commands/data', 'commands/database'],
      ...['commands/do-not-text', 'commands/person', 'commands/serve', 'commands/serve.ts'],
    ],
    [
      ...['commands', 'src/server', 'src/settings', 'src/cli', 'src/client', 'src/contract'],
      ...['src/domain', 'src/util'],
    ],
  ),
  ...sameFor(
    ['commands/phone', 'commands/phone.ts'],
    ['commands', 'src/phone', 'src/cli', 'src/client', 'src/contract', 'src/domain', 'src/util'],
  ),
  'commands/service': [
    ...['src/settings', 'src/cli', 'src/client', 'src/contract', 'src/domain', 'src/util'],
  ],
  'src/index.ts': ['src/resources', 'src/server', 'src/client', 'src/contract'],
}

/** Folders that know nothing of Node: they also run in a browser. */
const pure = ['src/domain', 'src/resources', 'src/contract']

/** The only folder that may import a package. */
const owners: Readonly<Record<string, string>> = {
  lowdb: 'src/server/store/lowdb',
  pg: 'src/server/store/postgres',
  'prom-client': 'src/server/monitoring',
  express: 'src/server',
  ky: 'src/client',
  conf: 'src/cli',
  inquirer: 'src/cli',
  'smtp-server': 'src/server/mail',
  'postal-mime': 'src/server/mail',
  'smol-toml': 'src/cli/config',
  'jq-wasm': 'src/cli/output',
}

const files = listFiles(['src', 'commands'])
const imports = listImports(files)
const local = imports.flatMap(({ file, target }) =>
  target === undefined ? [] : [{ file, target }],
)

function sameFor(names: readonly string[], allowed: readonly string[]): typeof table {
  return Object.fromEntries(names.map(name => [name, allowed]))
}

/** Whether a path is a file or in a folder. */
function isIn(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`)
}

function findRow(file: string): string | undefined {
  const rows = Object.keys(table).filter(name => isIn(file, name))
  return rows.sort((a, b) => b.length - a.length)[0]
}

function isAllowed({ file, target }: { file: string; target: string }): boolean {
  if (target === 'src/errors.ts') return true
  const row = findRow(file)
  if (row === undefined) return false
  if (row === findRow(target)) return true
  // Services see the port of the store, never a store behind it; only the composition chooses one.
  const isBehindPort = isIn(target, 'src/server/store') && dirname(target) !== 'src/server/store'
  if (isBehindPort && row !== 'src/server') return false
  return table[row]?.some(name => isIn(target, name)) === true
}

/** The folder of a file; `src/errors.ts` and `src/index.ts` count as folders of their own. */
function folderOf(file: string): string {
  return dirname(file) === 'src' || dirname(file) === 'commands' ? file : dirname(file)
}

function toGraph(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  }
  return graph
}

test('every import of the project names a file that exists', () => {
  expect(local.length).toBeGreaterThan(1000)
  const lost = imports.filter(({ specifier, target }) => /^\.\.?\//.test(specifier) && !target)
  expect(lost).toEqual([])
})

test('a folder imports only what the table of CONTRIBUTING.md allows', () => {
  const wrong = local.filter(each => !isAllowed(each)).map(each => `${each.file} → ${each.target}`)
  expect(wrong).toEqual([])
})

test('no driver imports another, except gammu for the error codes of modems', () => {
  const drivers = 'src/phone/drivers'
  // `program` has what all drivers share that run a program.
  const shared = [drivers, `${drivers}/program`]
  // The driver's own folder, also for files in folders below it.
  const driverOf = (file: string) => file.split('/').slice(0, 4).join('/')
  const wrong = local.filter(({ file, target }) => {
    if (!isIn(file, drivers) || !isIn(target, drivers) || dirname(file) === drivers) return false
    if (driverOf(file) === driverOf(target) || shared.includes(dirname(target))) return false
    return basename(target) !== 'at-error.ts'
  })
  expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(findCycles(toGraph(local.map(({ file, target }) => [file, target])))).toEqual([])
})

test('no folders import each other in a circle', () => {
  const edges = local.map(({ file, target }) => [folderOf(file), folderOf(target)] as const)
  expect(findCycles(toGraph(edges))).toEqual([])
})

test('domain and contract use nothing of Node', () => {
  const wrong = imports.filter(
    ({ file, specifier }) => pure.some(name => isIn(file, name)) && specifier.startsWith('node:'),
  )
  expect(wrong.map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual([])
})

test('a package with one purpose is imported in one folder', () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const owner = owners[specifier]
    return owner !== undefined && !isIn(file, owner)
  })
  expect(wrong.map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual([])
})

test('only the terminal module ends the process', () => {
  const wrong = files
    .filter(file => file.startsWith('src/') && file !== 'src/cli/terminal/io.ts')
    .filter(file => readText(file).includes('process.exit('))
  expect(wrong).toEqual([])
})
