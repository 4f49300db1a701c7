import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newestVersion } from '../../../../src/server/store/postgres/schema/migrate.js'
import { ClusterNode } from '../cluster-node.js'
import { type ClusterTest, runUnderLoad, type TestContext } from '../cluster-test.js'
import { DatabaseServer } from '../database-server.js'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))

const startTogether: ClusterTest = {
  name: 'K8',
  title: 'Three nodes start on an empty database',
  run: async context => {
    const rounds = context.quick ? 1 : 5
    const violations: string[] = []
    for (let round = 0; round < rounds; round += 1) violations.push(...(await startOnce(context)))
    return { made: rounds, violations }
  },
}

const useTwoVersions: ClusterTest = {
  name: 'K12',
  title: 'A build with one more step of the schema beside this one',
  run: async context => {
    const next = buildNextVersion(context)
    const options = { nodes: 2, isIdle: false }
    return await runUnderLoad(context, options, async cluster => {
      const rounds = context.quick ? 1 : 4
      const [first] = cluster.nodes
      if (first === undefined) return { made: 0 }
      for (let round = 0; round < rounds; round += 1) {
        first.program = round % 2 === 0 ? next : undefined
        await cluster.killNode(first)
        await cluster.waitForMore(100)
      }
      const [row] = await cluster.database.run<{ version: number }>(
        'select version from schema_version',
      )
      const violations =
        row?.version === nextVersion ? [] : [`the schema has version ${row?.version}`]
      return { made: rounds, violations }
    })
  },
}

const nextVersion = newestVersion + 1

export const startTests = [startTogether, useTwoVersions]

async function startOnce({ processes }: TestContext): Promise<string[]> {
  const database = await DatabaseServer.start()
  const nodes = Array.from(
    { length: 3 },
    (_, at) => new ClusterNode(processes, { name: `node ${at}`, database: database.url }),
  )
  try {
    await Promise.all(nodes.map(async node => await node.start()))
    const owners = nodes.filter(({ owner }) => owner !== undefined).length
    const [stored] = await database.run<{ accounts: number; steps: number }>(
      `select (select count(*)::int from account) as accounts,
        (select count(*)::int from schema_version) as steps`,
    )
    return [
      ...(owners === 1 ? [] : [`${owners} nodes printed the keys of an owner`]),
      ...(stored?.accounts === 1 ? [] : [`there are ${stored?.accounts} accounts`]),
      ...(stored?.steps === 1 ? [] : [`the schema has ${stored?.steps} versions`]),
    ]
  } finally {
    for (const node of nodes) await node.end('SIGKILL')
    await database.stop()
  }
}

/** Copies this build and adds a step to the schema; resolves to the program. */
function buildNextVersion({ processes }: TestContext): string {
  const copy = processes.makeDirectory()
  for (const name of ['bin', 'dist', 'package.json', 'oclif.manifest.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const step = JSON.stringify({
    version: nextVersion,
    oldestProgram: 1,
    summary: 'Add a column and an index.',
    indexes: [{ name: 'message_spare', table: 'message', on: '(number, status_at)' }],
    text: 'alter table message add column spare text',
  })
  const place = /^async function assertMigrated\(/m
  const chunks = join(copy, 'dist', 'chunks')
  const names = readdirSync(chunks).filter(name => name.endsWith('.js'))
  const changed = names.filter(name => {
    const path = join(chunks, name)
    const text = readFileSync(path, 'utf8')
    const patched = text.replace(place, `migrationSteps.push(${step})\n$&`)
    if (patched === text) return false
    writeFileSync(path, patched)
    return true
  })
  if (changed.length !== 1) throw new Error('The steps of the schema were not found in the build.')
  return join(copy, 'bin', 'run.js')
}
