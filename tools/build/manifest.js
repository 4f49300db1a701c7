// Writes oclif.manifest.json, so that help and errors need not read every command, and
// dist/commands.json, the file of each command, which is all that a command needs to start.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'

/** Folders that only group files, and what users type instead. */
const groups = { 'hook:subscription:': 'hook:' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const plugin = new Plugin({ errorOnManifestCreate: true, ignoreManifest: true, root, type: 'core' })
await plugin.load()
const { manifest } = plugin
const commands = Object.fromEntries(
  Object.values(manifest.commands).map(command => {
    const id = removeGroup(command.id)
    return [id, { ...command, id }]
  }),
)
const files = Object.entries(commands).map(([id, { relativePath }]) => [id, relativePath.join('/')])
writeFileSync(`${root}oclif.manifest.json`, `${JSON.stringify({ ...manifest, commands })}\n`)
writeFileSync(`${root}dist/commands.json`, `${JSON.stringify(Object.fromEntries(files))}\n`)

function removeGroup(id) {
  const found = Object.entries(groups).find(([group]) => id.startsWith(group))
  return found === undefined ? id : id.replace(...found)
}
