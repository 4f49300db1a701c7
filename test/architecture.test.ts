import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Which rooms a room may import; `errors` is open to everyone (CONTRIBUTING.md, "The rooms"). */
const rooms: Record<string, readonly string[]> = {
  errors: [],
  util: [],
  domain: ['util'],
  contract: ['domain', 'util'],
  config: ['domain', 'util'],
  store: ['domain', 'util'],
  services: ['store', 'domain', 'util'],
  http: ['services', 'domain', 'contract', 'util'],
  delivery: ['services', 'domain', 'contract', 'util'],
  mail: ['services', 'domain', 'contract', 'util'],
  admin: ['services', 'domain', 'contract', 'util'],
  client: ['contract', 'domain', 'util'],
  phone: ['client', 'contract', 'domain', 'util'],
  cli: ['client', 'contract', 'domain', 'util'],
  relay: ['config', 'store', 'services', 'http', 'delivery', 'mail', 'admin', 'domain', 'util'],
  data: ['store', 'util'],
  index: ['relay', 'admin', 'client', 'config', 'contract'],
  commands: ['cli', 'client', 'contract', 'domain', 'util'],
}

/** What single files may import beyond their room, and why. */
const exceptions: Record<string, readonly string[]> = {
  // `hook listen` receives any method as the service does.
  'src/cli/hook-receiver.ts': ['src/http/any-method'],
  // The socket protocol of administration is the one thing commands and service share below HTTP.
  'commands/serve.ts': ['src/relay'],
  'commands/phone.ts': ['src/phone'],
}

/** A service sees the port of the store, never the store behind it. */
const storePort = 'src/store/store'

/** Rooms that run anywhere: nothing of Node. */
const pure = ['domain', 'contract']

const root = join(import.meta.dirname, '..')
const files = ['src', 'commands'].flatMap(top =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(top, name)),
)
const imports = files.flatMap(file =>
  specifiers(file).map(specifier => ({ file, specifier, to: resolve(file, specifier) })),
)

function specifiers(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(/(?:^|[\s;])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)
  return [...found].map(match => match[1] ?? '')
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return normalize(join(dirname(file), specifier)).replace(/\.js$/, '')
}

function roomOf(path: string): string {
  const [top, second = ''] = path.split('/')
  return top === 'commands' ? 'commands' : second.replace(/\.ts$/, '')
}

function isAllowed({ file, to }: { file: string; to: string }): boolean {
  const from = roomOf(file)
  const target = roomOf(to)
  if (from === target || target === 'errors') return true
  if (exceptions[file]?.some(each => to === each || to.startsWith(`${each}/`)) === true) return true
  // The phone's face at the command line knows both.
  if (file.startsWith('src/cli/phone/') && target === 'phone') return true
  if (from === 'commands' && to.startsWith('src/phone/')) return file.startsWith('commands/phone/')
  if (from === 'commands' && to === 'src/data') return file.startsWith('commands/data/')
  if (from === 'commands' && to === 'src/relay')
    return /^commands\/(account|blocklist|data)\//.test(file)
  if (from === 'services' && target === 'store') return to === storePort
  return rooms[from]?.includes(target) === true
}

test('every room is known', () => {
  expect([...new Set(files.map(roomOf))].filter(room => rooms[room] === undefined)).toEqual([])
})

test('imports go one way: each room imports only what its table allows', () => {
  const local = imports.filter(({ specifier }) => specifier.startsWith('.'))
  expect(local.length).toBeGreaterThan(100)
  const wrong = local.filter(each => !isAllowed(each)).map(({ file, to }) => `${file} → ${to}`)
  expect(wrong).toEqual([])
})

test('domain and contract use nothing of Node', () => {
  const wrong = imports
    .filter(({ file, specifier }) => pure.includes(roomOf(file)) && specifier.startsWith('node:'))
    .map(({ file, specifier }) => `${file} → ${specifier}`)
  expect(wrong).toEqual([])
})

test('only the store knows lowdb, only http knows Express, and only mail knows SMTP', () => {
  const owners: Record<string, string> = {
    ...{ lowdb: 'store', express: 'http', ky: 'client' },
    ...{ 'smtp-server': 'mail', 'postal-mime': 'mail' },
  }
  const wrong = imports
    .filter(({ file, specifier }) => (owners[specifier] ?? roomOf(file)) !== roomOf(file))
    .map(({ file, specifier }) => `${file} → ${specifier}`)
  expect(wrong).toEqual([])
})

test('nothing in src ends the process', () => {
  const wrong = files
    .filter(file => file.startsWith('src/') && file !== 'src/cli/io.ts')
    .filter(file => readFileSync(join(root, file), 'utf8').includes('process.exit('))
  expect(wrong).toEqual([])
})

test('no file is longer than 250 lines', () => {
  const lines = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length
  const long = files.filter(file => lines(file) > 251).map(file => `${file}: ${lines(file)}`)
  expect(long).toEqual([])
})
