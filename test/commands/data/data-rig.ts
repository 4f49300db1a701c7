import { join } from 'node:path'
import { RelayClient } from '../../../src/index.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'

export const texts = ['first', 'second', 'third']

export async function startRelay() {
  const dataDir = join(await temporaryFolder(), 'data')
  const relay = await createRelay({ dataDir, port: 0 })
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'a@example.com' })
  const credentials = { user: keys.secret_key, password: keys.api_key }
  const client = new RelayClient({ url: relay.url, credentials })
  for (const message of texts) await client.messages.create({ destination: '5551212', message })
  return { dataDir, stop: () => relay.stop(), credentials }
}

export async function textsIn(dataDir: string, credentials: { user: string; password: string }) {
  const relay = await createRelay({ dataDir, port: 0 })
  try {
    await relay.start()
    const client = new RelayClient({ url: relay.url, credentials })
    return (await client.messages.list({ order: 'asc' })).map(each => each.message)
  } finally {
    await relay.stop()
  }
}
