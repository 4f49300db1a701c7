// Writes the texts that are generated from the manifest: dist/reference/cli.md and smsrelay.toml,
// which `npm run reference` copies to docs/reference and docs/operate/examples.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatCliPage, formatExampleConfig, readCommandLine } from '../../dist/build/reference.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commandLine = await readCommandLine(root)
mkdirSync(`${root}dist/reference`, { recursive: true })
writeFileSync(`${root}dist/reference/cli.md`, formatCliPage(commandLine))
writeFileSync(`${root}dist/reference/smsrelay.toml`, formatExampleConfig())
