import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findFreePort } from '../../../tools/ports/free-ports.js'
import { readText } from '../../source-tree.js'
import { temporaryFolder } from '../../temporary-folder.js'

/** A result of a query: the labels of a series. */
type Labels = Readonly<Record<string, string>>

/** The Prometheus of a test. */
export interface TestPrometheus {
  /** The labels of all series that a query finds now. */
  query(expression: string): Promise<Labels[]>
  /** The names of all alerts that have fired, sorted. */
  listFired(): Promise<string[]>
}

/**
 * Starts a Prometheus that scrapes these addresses of metrics often, with the alert rules of
 * docs/operate, whose alerts do not wait for their `for`. Resolves when it has evaluated all rules
 * with metrics of every address.
 */
export async function startPrometheus(urls: readonly string[]): Promise<TestPrometheus> {
  const folder = await temporaryFolder()
  const rules = readText('docs/operate/alert-rules.yaml').replace(/for: \w+/g, 'for: 0s')
  await writeFile(join(folder, 'rules.yaml'), rules)
  await writeFile(join(folder, 'prometheus.yml'), formatConfig(urls))
  const base = `http://127.0.0.1:${await findFreePort()}`
  await run(folder, new URL(base).host)
  const get = async (path: string): Promise<ReplyData> => {
    const reply = await fetch(`${base}/api/v1/${path}`)
    return ((await reply.json()) as { data: ReplyData }).data
  }
  const query = async (expression: string): Promise<Labels[]> => {
    const { result = [] } = await get(`query?query=${encodeURIComponent(expression)}`)
    return result.map(({ metric }) => metric)
  }
  const countTargets = async () => (await query('up{job="smsrelay"} == 1').catch(() => [])).length
  await expect.poll(countTargets).toBe(urls.length)
  const startedAt = Date.now()
  const isEvaluated = ({ lastEvaluation, health }: Rule) =>
    health === 'ok' && Date.parse(lastEvaluation) > startedAt
  await expect
    .poll(async () => (await get('rules')).groups?.[0]?.rules.every(isEvaluated))
    .toBe(true)
  const fired = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[10m]))'
  const listFired = async () => (await query(fired)).map(({ alertname = '' }) => alertname).sort()
  return { query, listFired }
}

/** What the replies of Prometheus have under `data`. */
interface ReplyData {
  readonly result?: readonly { readonly metric: Labels }[]
  readonly groups?: readonly { readonly rules: readonly Rule[] }[]
}

interface Rule {
  readonly lastEvaluation: string
  readonly health: string
}

/** JSON is valid YAML. */
function formatConfig(urls: readonly string[]): string {
  const targets = urls.map(url => new URL(url).host)
  // A scrape of a busy relay is late, and an alert must still see it before the next one.
  const [interval, evaluation] = ['2s', '500ms']
  return JSON.stringify({
    global: {
      scrape_interval: interval,
      scrape_timeout: interval,
      evaluation_interval: evaluation,
    },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'smsrelay', static_configs: [{ targets }] }],
  })
}

async function run(folder: string, address: string): Promise<void> {
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore', cwd: folder },
  )
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await once(child, 'spawn')
}
