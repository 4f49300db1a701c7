// Runs a relay of several nodes on this machine, to try it out (docs/guide/several-nodes.md):
//   npm run cluster -- [--nodes 2] [--port 8080]
//
// 1. It starts a PostgreSQL (tools/postgres), the nodes (`smsrelay serve --database`), and a proxy
//    that passes each connection to a node that accepts it.
// 2. It prints address and process id of each part, and the keys of the owner, which it also keeps
//    out of the user's profiles.
// 3. It starts a part again that has ended, as a supervisor does. Kill parts as you like.
// 4. Ctrl-C stops everything and removes the database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNode } from './node-process.js'
import type { Part } from './part.js'
import { startDatabase } from './postgres-process.js'
import { startProxy } from './proxy.js'

const options = { nodes: { type: 'string' }, port: { type: 'string' } } as const
const { values } = parseArgs({ options })
const nodeCount = parseNumber('--nodes', values.nodes ?? '2', 1, 16)
const port = parseNumber('--port', values.port ?? '8080', 0, 65_000)

const parts: Part[] = []
const configDir = mkdtempSync(join(tmpdir(), 'smsrelay-cluster-'))
const stopped = new Promise<void>(resolve => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})
try {
  await Promise.all([startAll(), stopped])
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  print('Stopping.')
  for (const part of parts.toReversed()) await part.stop()
  rmSync(configDir, { recursive: true })
}

async function startAll(): Promise<void> {
  const database = await startDatabase(print)
  parts.push(database)
  const targets: number[] = []
  const proxy = await startProxy(port, () => targets)
  parts.push(proxy)
  for (let index = 0; index < nodeCount; index += 1) {
    const name = `node ${index + 1}`
    const ownPort = port === 0 ? 0 : port + index + 1
    const node = await startNode(
      { name, port: ownPort, database: database.url, baseUrl: proxy.url, configDir },
      print,
    )
    parts.push(node)
    targets.push(Number(new URL(node.url).port))
  }
  print(`The relay answers on ${proxy.url}. Ctrl-C stops it and removes its data.`)
}

function parseNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  process.stderr.write(`${flag} must be a whole number from ${min} to ${max}.\n`)
  process.exit(2)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
