// One PostgreSQL for the whole run, started when the first test asks for a database. Tests run in
// several processes, so they ask over HTTP (`test-postgres.ts`).
// `SMSRELAY_TEST_POSTGRES_URL` names a server that runs already: of another version, or a pooler.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type RunningServer, startPostgres } from './postgres-process.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the URL of the PostgreSQL of this run. */
    postgresStarter: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: RunningServer[] = []
  const start = async (): Promise<string> => {
    const server = await startPostgres()
    running.push(server)
    return server.url
  }
  let url: Promise<string> | undefined
  const given = process.env.SMSRELAY_TEST_POSTGRES_URL
  const server = createServer(async (_, response) => {
    try {
      url ??= given === undefined ? start() : Promise.resolve(given)
      response.end(await url)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  project.provide('postgresStarter', `http://127.0.0.1:${port}/`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await Promise.all(running.map(async each => await each.stop()))
  }
}
