import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { createFetch } from '../../../src/net/client/fetch.js'

it('an abort ends a body also after a garbage collection', async () => {
  setFlagsFromString('--expose_gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const server = createServer((_, reply) => void reply.writeHead(200).write('first'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ending = new AbortController()
  const { signal } = ending
  const { body } = await createFetch()(`http://127.0.0.1:${port}/`, { signal })
  const reader = body?.getReader()
  await reader?.read()
  const next = reader?.read()
  for (let n = 0; n < 5; n += 1) {
    await setImmediate()
    collectGarbage()
  }
  ending.abort()
  await expect(next).rejects.toMatchObject({ name: 'AbortError' })
})
