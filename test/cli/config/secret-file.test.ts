import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSecretFile } from '../../../src/cli/config/secret-file.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { createSink } from '../streams.js'

test.skipIf(process.platform === 'win32').each([
  [0o600, false],
  [0o400, false],
  [0o640, true],
  [0o604, true],
  [0o666, true],
])('a secret file with mode %o gets a warning: %s', async (mode, isOpen) => {
  const path = join(await temporaryFolder(), 'secret')
  await writeFile(path, 'geheim\n')
  await chmod(path, mode)
  const { stream, text } = createSink()
  const secret = await readSecretFile({ env: { SECRET_FILE: path }, stderr: stream }, 'SECRET_FILE')
  expect(secret).toBe('geheim')
  const problem = `Other users can read the secret in ${path}`
  expect(text()).toBe(isOpen ? `smsrelay: ${problem}; run \`chmod 600 ${path}\`.\n` : '')
})
