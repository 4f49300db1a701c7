import { readdirSync, readFileSync } from 'node:fs'

/** The files with the licences of a package. */
const notices = /^(?:licen[cs]e|notice)/i

/**
 * The names, versions and licences of the packages of these modules, and the notices of lists in
 * our own sources.
 */
export function collectLicenses(modules, lists = []) {
  const folders = modules.map(id => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
  const packages = [...new Set(folders)].filter(folder => folder !== undefined).sort()
  const texts = [...packages.map(readLicense), ...lists.map(file => readFileSync(file, 'utf8'))]
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

function readLicense(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const files = readdirSync(folder).filter(each => notices.test(each))
  const texts = files.map(file => `\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`)
  return `${name} ${version} (${license})\n${texts.join('')}`
}
