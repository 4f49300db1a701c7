// Puts the command line into a few files of dist: finding, reading and linking hundreds of modules takes longer than
// running them. What commands load on demand (the service, the phone, their packages) stays as tsc compiles it.
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { licensesOf } from './licenses.js'
import { loadLate } from './load-late.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commands = readdirSync(`${root}commands`, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts'))
  .map(file => [`commands/${file.slice(0, -3)}`, `${root}commands/${file}`])

/** Stay files of their own: the errors, a class that both sides must share, and what only some commands load. */
const apart = /^src\/(errors|server\/.*|net\/.*|phone\/.*)\.tsx?$/
/** The packages every command needs a part of; the others are loaded from node_modules by the commands that use them. */
const bundled = /^(@oclif\/core|zod)(\/|$)/
const shared = ours(
  'command/(base-command|api-command|arguments)|program/command-config|profile/(connection|open-client|directories|profile)|terminal/(prompt|stdin|parse-values)|message/message-views',
)
/** Files loaded together, save those that bring a package along; the rest is divided by what the commands share. */
const groups = [
  {
    name: 'start',
    test: ours('command/report-error|terminal/(interruption|io|exit-codes|terminal-text)'),
    priority: 3,
  },
  {
    name: 'client',
    test: /\/src\/(client\/(?!ky)|contract\/(?!hit|signature))|\/node_modules\/zod\//,
    priority: 2,
  },
  { name: 'command', test: id => /\/@oclif\/core\//.test(id) || shared.test(id), priority: 1 },
]

const { output } = await build({
  cwd: root,
  input: { 'cli/main': `${root}src/cli/program/main.ts`, ...Object.fromEntries(commands) },
  platform: 'node',
  plugins: [{ name: 'apart', resolveId: keepApart }, loadLate(/\/@oclif\/core\/lib\//)],
  transform: { target: 'es2023' },
  output: { dir: `${root}dist`, chunkFileNames: 'chunks/[name].js', codeSplitting: { groups } },
})
const modules = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(`${root}dist/chunks/LICENSES.txt`, licensesOf(modules))

function ours(names) {
  return new RegExp(`/src/cli/(${names})\\.ts$`)
}

function keepApart(id, importer) {
  // oclif compiles a plug-in that is written in TypeScript; there is none.
  if (id === 'typescript') return { id, external: true }
  if (importer === undefined || importer.includes('/node_modules/')) return null
  if (!id.startsWith('.')) return bundled.test(id) ? null : { id, external: true }
  const file = fileURLToPath(new URL(id, `file://${importer}`))
  if (file === `${root}src/server/open-relay.js`)
    return { id: `${root}service/relay.js`, external: 'relative' }
  const isApart = apart.test(file.replace(root, '').replace(/\.js$/, '.ts'))
  return isApart ? { id: file, external: 'relative' } : null
}
