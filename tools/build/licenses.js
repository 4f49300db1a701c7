import { readdirSync, readFileSync } from 'node:fs'

/** The names, versions and licences of the packages of these modules. */
export function collectLicenses(modules) {
  const folders = modules.map(id => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
  const packages = [...new Set(folders)].filter(folder => folder !== undefined).sort()
  return packages.map(readLicense).join(`\n${'-'.repeat(80)}\n\n`)
}

function readLicense(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find(each => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : `\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  return `${name} ${version} (${license})\n${text}`
}
