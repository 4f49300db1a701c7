import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RelayClient } from '../src/index.js'
import { createRelay } from './quick-relay.js'
import { projectRoot } from './source-tree.js'
import { temporaryFolder } from './temporary-folder.js'

test('the phone of the reference sends a text and reports those to test numbers', async () => {
  const folder = await temporaryFolder()
  const relay = await createRelay({ dataDir: join(folder, 'data'), port: 0 })
  await relay.start()
  onTestFinished(async () => await relay.stop())
  const account = await relay.administration.createAccount({ email: 'phone@example.com' })
  const { secret_key: user, api_key: password, app_key } = account
  const { messages } = new RelayClient({ url: relay.url, credentials: { user, password } })
  const page = await readFile(join(projectRoot, 'docs/reference/own-phone.md'), 'utf8')
  const file = join(folder, 'phone.mjs')
  await writeFile(file, /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  const env = { RELAY: relay.url, SECRET_KEY: user, APP_KEY: app_key }
  const phone = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    phone.kill()
    await once(phone, 'exit')
  })
  const said = once(phone.stdout, 'data')
  const create = async (destination: string) =>
    (await messages.create({ destination, message: 'Hello' })).id
  const sent = await create('+12025550123')
  const success = await create('5551212')
  const failure = await create('5551213')
  expect(String(await said)).toBe('To +12025550123: Hello\n')
  const read = async (id: string) => await messages.get(id)
  await expect.poll(() => read(failure)).toMatchObject({ status: 'E', failure_count: 1 })
  expect(await read(sent)).toMatchObject({ status: 'S', parts: 1, phone: 'my-phone' })
  expect(await read(success)).toMatchObject({ status: 'S' })
})
