// One PostgreSQL for the whole run, started when the first test asks for a database. Tests run in
// several processes, so they ask over HTTP (`test-postgres.ts`).
// `SMSRELAY_TEST_POSTGRES_URL` names a server that runs already: of another version, or a pooler.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { projectRoot } from '../../../source-tree.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the URL of the PostgreSQL of this run. */
    postgresStarter: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const children: ChildProcess[] = []
  let url: Promise<string> | undefined
  const given = process.env.SMSRELAY_TEST_POSTGRES_URL
  const server = createServer(async (_, response) => {
    try {
      url ??= given === undefined ? startPostgres(children) : Promise.resolve(given)
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
    for (const child of children) child.stdin?.end()
    await Promise.all(children.map(async each => each.exitCode ?? (await once(each, 'exit'))))
  }
}

async function startPostgres(children: ChildProcess[]): Promise<string> {
  const program = join(projectRoot, 'tools/postgres/run-postgres.js')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  for await (const line of createInterface(child.stdout)) return JSON.parse(line).url
  throw new Error('PostgreSQL did not start.')
}
