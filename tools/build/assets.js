// Copies the files that pages load to dist/public: our own, and those that packages.json names,
// with their licences, and compresses them. The packages are larger and are not installed.
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { collectLicenses } from './licenses.js'

const { resolve } = createRequire(import.meta.url)
const own = fileURLToPath(new URL('../../src/server/dashboard/public/', import.meta.url))
const target = fileURLToPath(new URL('../../dist/public/', import.meta.url))
const packages = Object.entries(JSON.parse(readFileSync(`${own}packages.json`, 'utf8')))
const files = packages.map(([name, source]) => [name, resolve(source)])

cpSync(own, target, { recursive: true })
for (const [name, file] of files) copyFileSync(file, `${target}${name}`)
writeFileSync(`${target}LICENSES.txt`, collectLicenses(files.map(([, file]) => file)))

for (const name of readdirSync(target).filter(each => /\.(?:css|js|svg)$/.test(each))) {
  const bytes = readFileSync(`${target}${name}`)
  writeFileSync(`${target}${name}.br`, brotliCompressSync(bytes))
  writeFileSync(`${target}${name}.gz`, gzipSync(bytes, { level: 9 }))
}
