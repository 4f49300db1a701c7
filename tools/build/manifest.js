// Writes oclif.manifest.json, so that the program starts without looking at every command.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const plugin = new Plugin({ errorOnManifestCreate: true, ignoreManifest: true, root, type: 'core' })
await plugin.load()
writeFileSync(`${root}oclif.manifest.json`, `${JSON.stringify(plugin.manifest)}\n`)
