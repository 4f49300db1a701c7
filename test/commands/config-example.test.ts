import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import ConfigCheck from '../../commands/config/check.js'
import { serveFlags } from '../../src/cli/config/serve-flags.js'
import { selfSigned } from '../certificate.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run } from './harness.js'

const path = 'docs/operate/examples/smsrelay.toml'

/** Writes the example with its keys set, all but those that `isLeftOut` names. */
async function writeExample(isLeftOut: (key: string) => boolean): Promise<string> {
  const folder = await temporaryFolder()
  const lines = (await readFile(path, 'utf8')).split('\n').map(line => {
    const key = /^#([a-z-]+) = /.exec(line)?.[1]
    return key === undefined || isLeftOut(key) ? line : line.slice(1)
  })
  await writeFile(join(folder, 'certificate.pem'), selfSigned.cert)
  await writeFile(join(folder, 'key.pem'), selfSigned.key, { mode: 0o600 })
  const file = join(folder, 'smsrelay.toml')
  await writeFile(file, lines.join('\n').replaceAll('/etc/smsrelay', folder), { mode: 0o600 })
  return file
}

test('the example of a configuration file has every key of serve', async () => {
  const keys = Object.keys(parse(await readFile(await writeExample(() => false), 'utf8')))
  const known = Object.keys(serveFlags).filter(key => key !== 'config')
  expect(keys.toSorted()).toEqual(known.toSorted())
})

test.each([
  ['as it is', () => true],
  ['with all keys of a relay on a data directory', (key: string) => key === 'database'],
  ['with all keys of a relay on a database', (key: string) => key === 'data'],
])('config check accepts the example %s', async (_, isLeftOut) => {
  const file = await writeExample(isLeftOut)
  const { code, stdout } = await run(ConfigCheck, ['--config', file])
  expect(stdout).toBe(`The settings in ${file} are valid.\n`)
  expect(code).toBe(0)
})
