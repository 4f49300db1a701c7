// Writes the API reference: dist/reference/api.md, and dist/public/openapi*.json, which the relay
// serves. `npm run reference` copies them to docs/reference and to the sources of the dashboard.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { output } = await build({
  cwd: root,
  input: `${root}tools/reference/generate.ts`,
  platform: 'node',
  write: false,
})
const [{ code }] = output
const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
const { generateReference } = await import(url)
const examples = JSON.parse(readFileSync(`${root}tools/reference/examples.json`, 'utf8'))
const { page, documents } = generateReference(examples)
mkdirSync(`${root}dist/reference`, { recursive: true })
writeFileSync(`${root}dist/reference/api.md`, page)
for (const [name, text] of Object.entries(documents))
  writeFileSync(`${root}dist/public/${name}`, text)
