import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import Open from '../../commands/open.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run } from './harness.js'

const argv = ['--url', 'http://127.0.0.1:8080']

it('opens the dashboard with the program of the desktop', async () => {
  const bin = await temporaryFolder()
  const program = join(bin, 'xdg-open')
  await writeFile(program, `#!/bin/sh\necho "$1" > '${bin}/opened'\n`)
  await chmod(program, 0o755)
  const env = { PATH: bin, DISPLAY: ':0', SMSRELAY_CONFIG_DIR: bin }
  const result = await run(Open, [...argv, '--json'], { env })
  expect(JSON.parse(result.stdout)).toEqual({ url: 'http://127.0.0.1:8080/', opened: true })
  const opened = async () => await readFile(join(bin, 'opened'), 'utf8')
  await expect.poll(opened).toBe('http://127.0.0.1:8080/\n')
})

it.each([
  ['without a display', {}],
  ['without the program', { DISPLAY: ':0', PATH: '/nowhere' }],
])('prints the address %s', async (_, env) => {
  const result = await run(Open, argv, { env })
  expect(result).toMatchObject({ code: 0, stdout: 'http://127.0.0.1:8080/\n' })
  expect(result.stderr).toContain('No browser')
})
