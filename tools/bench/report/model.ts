import { formatTable, type Page } from '../../report/page.js'
import type { Figure } from './figure.js'

/** The rows that the model needs. */
export const modelRows = {
  node: 'processor time of the node a message, 128 connections',
  database: 'processor time of PostgreSQL a message, 128 connections',
  several: 'processor time a message of two nodes ÷ one',
  statements: 'statements of an idle node',
}

/** Nodes, and the databases that they are divided among. */
interface Installation {
  readonly nodes: number
  readonly databases: number
  /** Cores of each database. */
  readonly cores: number
}

const installations: readonly Installation[] = [
  { nodes: 10, databases: 1, cores: 16 },
  { nodes: 100, databases: 1, cores: 16 },
  { nodes: 100, databases: 1, cores: 64 },
  { nodes: 100, databases: 10, cores: 16 },
  { nodes: 1000, databases: 1, cores: 64 },
  { nodes: 1000, databases: 100, cores: 16 },
]

const microseconds = 1_000_000
/** The most connections of a node, and the hints that it sends in a second under load. */
const [connections, hints] = [8, 25]

const columnHeads = [
  'Nodes',
  'Databases',
  'Nodes allow',
  'Databases allow',
  'Messages/s',
  'Limit',
  'Connections to a database',
  'Statements of idle nodes, a database',
  'Hints that a node receives',
]

/** Computes from measured figures how fast many nodes are; undefined unless all were measured. */
export function modelScale(figures: readonly Figure[]): Page | undefined {
  const read = (row: string) => figures.find(figure => figure.row === row)?.value
  const [node, database, several] = [modelRows.node, modelRows.database, modelRows.several].map(
    read,
  ) as [number?, number?, number?]
  const statements = read(modelRows.statements)
  if (node === undefined || database === undefined) return undefined
  if (several === undefined || statements === undefined) return undefined
  const perNode = microseconds / (node * several)
  const perCore = microseconds / (database * several)
  const rows = installations.map(({ nodes, databases, cores }) => {
    const [byNodes, byDatabases] = [nodes * perNode, databases * cores * perCore]
    const share = nodes / databases
    return [
      String(nodes),
      `${databases} × ${cores} cores`,
      formatRate(byNodes),
      formatRate(byDatabases),
      formatRate(Math.min(byNodes, byDatabases)),
      byNodes < byDatabases ? 'nodes' : 'databases',
      `at most ${share * connections}`,
      `${formatRate(share * statements)}/s`,
      `${(share - 1) * hints}/s`,
    ]
  })
  const introduction = `\
Arithmetic from the figures above, not a measurement. A message is created, claimed and reported.
Each node has one core, and a database that has more cores is faster by as much.

- A node spends ${node.toFixed(0)} µs on a message when it is alone, and ${several.toFixed(2)} times
  as much among several, which form smaller groups: ${formatRate(perNode)} messages/s.
- PostgreSQL spends ${database.toFixed(0)} µs on a message of one node. The same factor gives
  ${formatRate(perCore)} messages/s a core.
- Several databases stand for a relay for each part of the accounts. They share nothing. A database
  that is itself sharded by account was not tried.
- A node has at most ${connections} connections. Under load it sends ${hints} hints a second, each
  to every other node of its database. From about 1,000 nodes on, they are a limit before the cores
  are.
- An account's events are numbered in one row: one account does not get faster with more nodes.`
  const heading = 'Model of many nodes'
  return { heading, introduction, table: formatTable(columnHeads, rows) }
}

/** Two significant digits: the model is not more exact. */
function formatRate(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US')
}
