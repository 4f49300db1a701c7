import { errorText } from '../../../src/errors.js'
import type { Processes } from '../harness/processes.js'
import type { Random } from '../random.js'
import { type ClusterFindings, checkCluster } from './check-cluster.js'
import { Cluster, type ClusterOptions } from './cluster.js'

/** What a test of the cluster gets. */
export interface TestContext {
  readonly processes: Processes
  readonly random: Random
  /** Whether the test makes few faults. */
  readonly quick: boolean
}

/** What a test of the cluster did and found. */
export interface TestResult {
  /** The faults that were made, or the repetitions. */
  readonly made: number
  /** Measured figures, for the table. */
  readonly note?: string
  /** Absent if the test needs no load. */
  readonly findings?: ClusterFindings
  readonly violations: readonly string[]
}

/** A row of the table. */
export interface ClusterTest {
  readonly name: string
  readonly title: string
  run(context: TestContext): Promise<TestResult>
}

/** Makes faults under load; resolves to what the table shows of them. */
export type Disturb = (
  cluster: Cluster,
  context: TestContext,
) => Promise<Pick<TestResult, 'made' | 'note'> & Partial<Pick<TestResult, 'violations'>>>

/** Disturbs a cluster under load, waits until all work has ended, and checks the history. */
export async function runUnderLoad(
  context: TestContext,
  options: ClusterOptions,
  disturb: Disturb,
): Promise<TestResult> {
  const cluster = await Cluster.create(context.processes, options, context.random)
  try {
    await cluster.waitForMore(20)
    const { violations = [], ...done } = await disturb(cluster, context)
    await cluster.waitForMore(20)
    const findings = checkCluster(await cluster.collectHistory())
    const { lost, doubled, missing, disordered, unexplained } = findings
    const wrong = [...lost, ...doubled, ...missing, ...disordered, ...unexplained]
    return { ...done, findings, violations: [...violations, ...wrong] }
  } catch (error) {
    const errors = cluster.nodes.map(({ process: node }) => node.readErrors()).join('')
    throw new Error(`${errorText(error)} The nodes printed: ${errors}`, { cause: error })
  } finally {
    await cluster.close()
  }
}
