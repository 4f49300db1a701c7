// Writes the API reference: dist/reference/api.md, which `npm run reference` copies to
// docs/reference, and dist/public/openapi.json, which the relay serves.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { output } = await build({
  cwd: root,
  input: `${root}tools/reference/api-page.ts`,
  platform: 'node',
  write: false,
})
const [{ code }] = output
const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
const { generateReference } = await import(url)
const examples = JSON.parse(readFileSync(`${root}tools/reference/examples.json`, 'utf8'))
const { page, document } = generateReference(examples)
mkdirSync(`${root}dist/reference`, { recursive: true })
writeFileSync(`${root}dist/reference/api.md`, page)
writeFileSync(`${root}dist/public/openapi.json`, document)
