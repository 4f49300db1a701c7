// Writes the texts that are generated from the manifest: dist/man/smsrelay.1, which the package
// installs, dist/reference/cli.md, which `npm run reference` copies to docs/reference, and
// dist/reference/smsrelay.toml, which it copies to docs/operate/examples.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  formatCliPage,
  formatExampleConfig,
  formatManPage,
  readCommandLine,
} from '../../dist/build/reference.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commandLine = await readCommandLine(root)
for (const folder of ['man', 'reference']) mkdirSync(`${root}dist/${folder}`, { recursive: true })
writeFileSync(`${root}dist/man/smsrelay.1`, formatManPage(commandLine))
writeFileSync(`${root}dist/reference/cli.md`, formatCliPage(commandLine))
writeFileSync(`${root}dist/reference/smsrelay.toml`, formatExampleConfig(commandLine))
