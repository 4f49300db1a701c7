// Copies what pages load out of its packages, which are larger by far and are not needed beside it, with their licences.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { staticFileSources } from '../../dist/src/server/dashboard/page/static-files.js'
import { licensesOf } from './licenses.js'

const { resolve } = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../../dist/src/server/dashboard/public/', import.meta.url))
const packaged = Object.entries(staticFileSources)
  .filter(([, source]) => !source.startsWith('#'))
  .map(([name, source]) => [name, resolve(source)])

mkdirSync(folder)
for (const [name, file] of packaged) copyFileSync(file, `${folder}${name}`)
writeFileSync(`${folder}LICENSES.txt`, licensesOf(packaged.map(([, file]) => file)))
