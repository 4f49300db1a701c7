// Makes the program: one pass over the sources gives a few files of dist for the command line, the
// relay, the phone and the library together. Finding, reading and linking hundreds of modules takes
// longer than running them. tsc writes the types of the library; `npm run check` checks all types.
//
// 1. `external` names the packages that are not bundled; `modules` leaves them out.
// 2. `groups` decides which modules share a file: what is used together is loaded together.
// 3. `lateImports` loads the modules of oclif when they are used: a command needs a third of them.
// 4. The licences of the bundled packages are written beside the files.
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { lateImports } from './late-imports.js'
import { collectLicenses } from './licenses.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commands = readdirSync(`${root}commands`, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.replaceAll('\\', '/').slice(0, -3))
  .map(name => [`commands/${name}`, `${root}commands/${name}.ts`])

/**
 * Packages that stay in node_modules: those that read input from outside, so that their fixes
 * arrive without a release, and those that only a few commands load.
 */
const external = new Set([
  ...[
    '@fastify/busboy',
    '@simplewebauthn/server',
    'express',
    'iconv-lite',
    'nodemailer',
    'postal-mime',
  ],
  ...['pg', 'pino', 'prom-client', 'proxy-addr', 'smol-toml', 'smtp-server', 'sonic-boom'],
  ...['chalk', 'conf', 'inquirer', 'jq-wasm', 'serialport', 'yaml'],
  ...['http-proxy-agent', 'https-proxy-agent', 'proxy-from-env'],
])

/**
 * Packages of oclif's help, plug-ins and spinners. A command needs none of them, but Node reads all
 * of a file that it loads. So each is a file of its own, which `require` loads at its first use.
 */
const latePackages = [
  ...['ansi-escapes', 'cli-spinners', 'debug', 'ejs', 'lilconfig', 'minimatch', 'string-width'],
  ...['tinyglobby', 'widest-line', 'wrap-ansi'],
]

const modules = {
  name: 'modules',
  resolveId(id, importer) {
    if (latePackages.includes(id) && importer?.includes('/@oclif/core/lib/')) {
      return { id: `./oclif/${id}.cjs`, external: true }
    }
    // oclif imports it to compile plug-ins in TypeScript, which we do not have.
    const isExternal =
      id === 'typescript' || (external.has(id) && importer?.startsWith(`${root}src/`))
    return isExternal ? { id, external: true } : null
  },
}

const startModules = new RegExp(
  `/src/(${[
    ...['errors', 'util/async/clock', 'domain/redact-text'],
    'cli/command/(report-error|environment-flags)',
    'cli/terminal/(io|interruption|suggest|exit-codes|process-title|terminal-text)',
  ].join('|')})\\.ts$`,
)
const serverPackages = /\/node_modules\/(lowdb|steno|helmet|@kitajs\/html|uqr)\//
/** With all that they import, zod included, these are what a command with requests needs. */
const clientModules = new RegExp(
  '/src/(client/(relay-client|request-sender)|util/(files/json-file|async/abort)' +
    '|domain/(message/failure-reason|time/rate))\\.ts$',
)
const recordModules =
  /\/node_modules\/zod\/v4\/(classic|locales)\/|\/zod\/v4\/core\/(json-schema|to-json|memoizer)/
const commandModules = new RegExp(
  '/src/cli/((command|output|profile|terminal)/(?!owner-|browser\\.|rereadable-)|' +
    'message/message-views)|/node_modules/',
)
const phoneNumberModules = new RegExp(
  '/libphonenumber-js/|/src/domain/(' +
    'sms/phone-number|bulk/bulk-(number|table)|phone/(automatic-reply|received-text))\\.ts$',
)
/** Mail, the log with pino, and the worker are loaded only when they are needed. */
const serverModules = new RegExp(
  '/src/(net/server|server)/' + '(?!mail/|log/(open-log|log-output)|.*/compaction-worker\\.ts$)',
)
/** The list of common passwords is loaded only to set a password. */
const commonModules =
  /\/src\/(util|domain|net\/client|client|contract)\/(?!account\/common-passwords)/
/**
 * Modules that share a file, by the first group that matches; rolldown divides the others by use.
 * `imports` adds all that the modules import. `common` is one file: divided by use it was fourteen,
 * and a command took 5 % more processor time. `client` is apart from it, because a command with
 * requests takes 8 % less without the rest and the modules of Node that the rest imports.
 */
const groups = [
  { name: 'start', test: startModules },
  // Packages that few commands need, with the modules that import them.
  { name: 'csv', test: /\/src\/util\/text\/(csv|decode-text)\.ts$/ },
  { name: 'charset', test: /\/src\/util\/text\/charset\.ts$/ },
  {
    name: 'phone-number',
    test: phoneNumberModules,
  },
  { name: 'uuid', test: /\/node_modules\/uuid\/|\/uuid-v7\.ts$/ },
  // oclif imports it only where it finds out the shell.
  { name: 'wsl', test: /\/node_modules\/wsl-utils\//, imports: true },
  { name: 'relay', test: serverPackages },
  // zod with its methods and JSON schemas, which only the import of records needs.
  { name: 'records', test: recordModules },
  { name: 'client', test: clientModules, imports: true },
  { name: 'command', test: commandModules },
  // The store of a database, with pg, is loaded only when there is one.
  {
    name: 'postgres',
    test: /\/src\/server\/(store\/postgres\/|(data-database|database-tools)\.ts$)/,
  },
  { name: 'relay', test: serverModules },
  { name: 'common', test: commonModules },
].map(({ name, test, imports = false }, index) => {
  return { name, test, priority: 20 - index, includeDependenciesRecursively: imports }
})

const { output } = await build({
  cwd: root,
  input: {
    main: `${root}src/cli/program/main.ts`,
    index: `${root}src/index.ts`,
    // For tools/build/reference.js; not in the package.
    'build/reference': `${root}src/cli/reference/reference.ts`,
    'chunks/compaction-worker': `${root}src/server/store/lowdb/journal/compaction-worker.ts`,
    ...Object.fromEntries(commands),
  },
  platform: 'node',
  plugins: [modules, lateImports(/\/@oclif\/core\/lib\//)],
  preserveEntrySignatures: 'allow-extension',
  transform: { target: 'es2023' },
  output: {
    dir: `${root}dist`,
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups },
  },
})
assertNoCycle(output)
const oclif = createRequire(createRequire(import.meta.url).resolve('@oclif/core'))
const late = await Promise.all(
  latePackages.map(async name => {
    const file = `${root}dist/chunks/oclif/${name}.cjs`
    return await build({
      cwd: root,
      input: oclif.resolve(name),
      platform: 'node',
      output: { file, format: 'cjs' },
    })
  }),
)
const names = [...output, ...late.flatMap(each => each.output)].flatMap(file =>
  file.type === 'chunk' ? file.moduleIds : [],
)
const ownLists = [`${root}src/domain/account/common-passwords-license.txt`]
writeFileSync(`${root}dist/chunks/LICENSES.txt`, collectLicenses(names, ownLists))

/** In a cycle of files, a module can use a constant of another before that is set. */
function assertNoCycle(files) {
  const imports = new Map(files.map(file => [file.fileName, file.imports ?? []]))
  const done = new Set()
  const visit = (name, path) => {
    if (path.includes(name))
      throw new Error(`Files import each other: ${[...path, name].join(' → ')}`)
    if (done.has(name)) return
    for (const next of imports.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of imports.keys()) visit(name, [])
}
