// Puts the service as tsc compiled it, with its packages, into a few files of dist/service: linking eight hundred modules took
// four times as long as running them. Programs that embed the service load it from dist/src.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { licensesOf } from './licenses.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiled = `${root}dist/src`

/** Stay files of their own: the errors, a class that both sides must share, and what looks for files beside it. */
const apart = /\/dist\/src\/(errors|server\/dashboard\/page\/static-files)\.js$/
/** Packages that read what strangers send stay in node_modules, where they are updated alone; and what few services load. */
const unbundled = /^(express|@fastify\/busboy|smtp-server|postal-mime)$/

const { output } = await build({
  cwd: root,
  input: {
    relay: `${compiled}/server/open-relay.js`,
    'compaction-worker': `${compiled}/server/store/lowdb/journal/compaction-worker.js`,
  },
  platform: 'node',
  plugins: [{ name: 'apart', resolveId: keepApart }],
  transform: { target: 'es2023' },
  output: { dir: `${root}dist/service`, chunkFileNames: '[name].js' },
})
const modules = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(`${root}dist/service/LICENSES.txt`, licensesOf(modules))

function keepApart(id, importer) {
  if (unbundled.test(id)) return { id, external: true }
  if (!id.startsWith('.') || importer?.startsWith(compiled) !== true) return null
  const file = fileURLToPath(new URL(id, `file://${importer}`))
  return apart.test(file) ? { id: file.replace(compiled, '../src'), external: true } : null
}
