// npm run mutate -- [--count 100] [--seed 1] [--all] [--project NAME]... [--scratch DIR]
//
// 1. Copies the checkout, and chooses changes of `src` that still have correct types.
// 2. Puts them all into the copy, each behind a switch, builds it and runs the tests once: that
//    records which test file reaches which change.
// 3. Runs test files in rounds: each with one of the changes that it reaches, the nearest first,
//    until a test of the change fails, or none is left.
//
// The copy keeps all results: another run with the same copy goes on where this one ended.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../chaos/random.js'
import { applyMutants, findMutants, type Mutant } from './mutants.js'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true, default: ['source', 'built'] },
    scratch: { type: 'string', default: join(tmpdir(), 'smsrelay-mutate') },
  },
})
const root = process.cwd()
const { scratch } = values
const folder = join(scratch, '.mutate')
const inFolder = (name: string) => join(folder, name)

/** Test files of a round. */
const roundSize = 100

type Chosen = Mutant & { readonly id: number }

/** For each change the test file that failed, or a text that begins with `none`. */
type Results = Record<number, string>

/** The change that is active in each test file. */
type Plan = Record<string, number>

/** Milliseconds of each test file. */
type Times = Readonly<Record<string, number>>

/** A module of the copy that says which change is active, or records which are reached. */
const switchModule = `import { appendFileSync } from 'node:fs'
const own = Number(process.env.MUTATE_ACTIVE ?? -1)
const hits = process.env.MUTATE_HITS
const seen = new Map<number, string>()
export function __mutant(id: number): boolean {
  const test = process.env.MUTATE_TEST
  if (hits !== undefined && test !== undefined && seen.get(id) !== test) {
    seen.set(id, test)
    appendFileSync(hits, \`\${id} \${test}\\n\`)
  }
  return id === ((globalThis as any).mutateActive ?? own)
}
`

/** Runs before each test file, and chooses its change; processes that tests start inherit it. */
const setupModule = `
import { readFileSync } from 'node:fs'
const test = (globalThis as any).__vitest_worker__.filepath
const active = JSON.parse(readFileSync(process.env.MUTATE_PLAN ?? '', 'utf8'))[test] ?? -1
Object.assign(process.env, { MUTATE_TEST: test, MUTATE_ACTIVE: String(active) })
Object.assign(globalThis, { mutateActive: active })
`

/** A reporter that says at once what happens, as some changes make a run endless. */
const reporterModule = `import { appendFileSync } from 'node:fs'
const say = (what: string, { moduleId }: any) =>
  appendFileSync(process.env.MUTATE_LOG ?? '', \`\${what} \${Date.now()} \${moduleId}\\n\`)
export default class {
  onTestModuleQueued = (module: any) => say('started', module)
  onTestModuleEnd = (module: any) => say(module.ok() ? 'passed' : 'failed', module)
}
`

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(scratch, file), text)

/** What an earlier run wrote to a file of the copy, or what a step gives for it. */
async function readOr<T>(name: string, step: () => Promise<T>): Promise<T> {
  const file = inFolder(name)
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await step()))
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Runs a program in the copy; after a time, ends it and what it started. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, timeout = 3 * 3_600_000) {
  const child = spawn('npm', args, {
    ...{ cwd: scratch, env: { ...process.env, ...env }, detached: true },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeout)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await once(child, 'close')
  clearTimeout(timer)
  return output
}

function copyCheckout(): void {
  const skipped = new Set(['node_modules', 'dist'].map(name => join(root, name)))
  cpSync(root, scratch, { recursive: true, filter: source => !skipped.has(source) })
  execFileSync('cp', ['-a', '--reflink=auto', join(root, 'node_modules'), scratch])
  mkdirSync(folder, { recursive: true })
}

/** Chooses changes at random; those whose types are wrong make room for others. */
async function chooseMutants(count: number): Promise<Chosen[]> {
  const files = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  const known = files.split('\n').filter(file => /\.tsx?$/.test(file) && existsSync(file))
  const random = new Random(Number(values.seed), 'mutants')
  const all = random.shuffle(known.flatMap(file => findMutants(file, read(file))))
  const chosen: Mutant[] = []
  while (chosen.length < count && all.length > 0) {
    const batch: Mutant[] = []
    for (const next of all.splice(0, Math.ceil((count - chosen.length) * 1.3))) {
      const overlaps = ({ file, start, end }: Mutant) =>
        file === next.file && start < next.end && next.start < end
      if (![...chosen, ...batch].some(overlaps)) batch.push(next)
    }
    chosen.push(...(await keepTyped(batch)))
  }
  return chosen.slice(0, count).map((each, id) => ({ id, ...each }))
}

/** Applies all of them at once; errors name the files whose changes are dropped. */
async function keepTyped(mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
  const files = new Set(mutants.map(({ file }) => file))
  for (const file of files) {
    const own = mutants.filter(each => each.file === file)
    write(
      file,
      applyMutants(read(file), own, ({ text }) => text),
    )
  }
  const output = await run(['exec', '--', 'tsc', '--pretty', 'false'])
  for (const file of files) write(file, read(file))
  const wrong = new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file))
  if (wrong.size === 0) return mutants
  const others = mutants.filter(({ file }) => !wrong.has(file))
  if (others.length < mutants.length) return await keepTyped(others)
  // The cause of an error in another file is not known: each half of the changes is checked.
  const half = Math.floor(mutants.length / 2)
  if (half === 0) return []
  return [...(await keepTyped(mutants.slice(0, half))), ...(await keepTyped(mutants.slice(half)))]
}

function addToCopy(mutants: readonly Chosen[]): void {
  write('src/mutant-switch.ts', switchModule)
  write('mutate-reporter.ts', reporterModule)
  write('test/property-seed.ts', read('test/property-seed.ts') + setupModule)
  for (const file of new Set(mutants.map(each => each.file))) {
    const from = relative(dirname(file), 'src/mutant-switch.js')
    const own = mutants.filter(each => each.file === file)
    const switched = applyMutants(read(file), own, ({ id, text, before }) =>
      text === '' ? `if (!__mutant(${id})) ${before}` : `(__mutant(${id}) ? ${text} : ${before})`,
    )
    write(file, `${switched}\nimport { __mutant } from './${from}'\n`)
  }
}

/** Runs test files with the changes of a plan; all test files, unchanged, if it is empty. */
async function runTests(plan: Plan, timeout?: number) {
  const [log = '', planFile = '', hits = ''] = ['log.txt', 'plan.json', 'hits.txt'].map(inFolder)
  writeFileSync(log, '')
  writeFileSync(planFile, JSON.stringify(plan))
  const tests = Object.keys(plan)
  const options = ['--reporter=./mutate-reporter.ts', '--experimental.fsModuleCache']
  options.push(...values.project.map(name => `--project=${name}`))
  if (values.all) options.push('--mode=all')
  const env = { MUTATE_LOG: log, MUTATE_PLAN: planFile }
  const recording = tests.length === 0 ? { MUTATE_HITS: hits } : {}
  await run(
    ['exec', '--', 'vitest', 'run', ...options, ...tests],
    { ...env, ...recording },
    timeout,
  )
  const outcomes = new Map<string, { state: string; at: number; time: number }>()
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
    const [state = '', at, test = ''] = line.split(' ')
    const time = Number(at) - (outcomes.get(test)?.at ?? 0)
    outcomes.set(test, { state, at: Number(at), time })
  }
  return outcomes
}

/** The time of each test file that passes without an active change; others can catch nothing. */
async function recordReach(): Promise<Times> {
  if (values.project.includes('built')) await run(['run', 'build'])
  if (values.all) await run(['exec', '--', 'tsc', '-p', 'tools/chaos/tsconfig.json'])
  writeFileSync(inFolder('hits.txt'), '')
  const passed = [...(await runTests({}))].filter(([, { state }]) => state === 'passed')
  if (passed.length === 0) throw new Error('No test file passes in the copy.')
  return Object.fromEntries(passed.map(([test, { time }]) => [test, time]))
}

/** The test files that reach each change: first those with words of its path, then the fastest. */
function orderTests(mutants: readonly Chosen[], times: Times) {
  const toWords = (path: string) => new Set(path.replace(/\.(?:test\.)?tsx?$/, '').split(/[/-]/))
  const hits = new Set(readFileSync(inFolder('hits.txt'), 'utf8').split('\n'))
  const tests = Object.entries(times).sort(([, a], [, b]) => a - b)
  return mutants.map(({ id, file }) => {
    const words = [...toWords(file)]
    const near = (test: string) =>
      words.filter(word => toWords(relative(scratch, test)).has(word)).length
    const reached = tests.filter(([test]) => hits.has(`${id} ${test}`))
    const ranked = reached.map(([test]) => ({ test, rank: near(test) }))
    return ranked.sort((a, b) => b.rank - a.rank).map(({ test }) => test)
  })
}

/** Gives each change as many of its next test files as a round has room for. */
function planRound(waiting: readonly string[][], results: Results): Plan {
  const plan: Plan = {}
  const alive = waiting.flatMap((tests, id) => (tests.length > 0 && !(id in results) ? [id] : []))
  const share = Math.ceil(roundSize / alive.length)
  for (const id of alive)
    for (const test of waiting[id]?.filter(each => !(each in plan)).slice(0, share) ?? [])
      plan[test] = id
  return plan
}

function formatTable(mutants: readonly Chosen[], results: Results): string {
  const rows = Object.entries(results).map(([id, caughtBy]) => {
    const { file, line, before, text } = mutants[Number(id)] as Chosen
    const change = `${before} → ${text || '(deleted)'}`.replace(/\s+/g, ' ').replaceAll('|', '\\|')
    return `| ${file}:${line} | \`${change.slice(0, 90)}\` | ${caughtBy} |`
  })
  const caught = Object.values(results).filter(each => !each.startsWith('none')).length
  const title = `${caught} of ${rows.length} changes were caught (seed ${values.seed}).`
  return [title, '', '| Place | Change | Caught by |', '|---|---|---|', ...rows, ''].join('\n')
}

if (!existsSync(folder)) copyCheckout()
const mutants = await readOr('mutants.json', async () => {
  const chosen = await chooseMutants(Number(values.count))
  addToCopy(chosen)
  return chosen
})
const times = await readOr('times.json', recordReach)
const results: Results = await readOr('results.json', async () => ({}))
const waiting: string[][] = await readOr('waiting.json', async () => orderTests(mutants, times))
for (const { id } of mutants) if (waiting[id]?.length === 0) results[id] ??= 'none reaches it'
for (;;) {
  const plan = planRound(waiting, results)
  if (Object.keys(plan).length === 0) break
  const usual = Object.keys(plan).reduce((sum, test) => sum + (times[test] ?? 0), 0)
  const outcomes = await runTests(plan, 600_000 + 3 * usual)
  if (outcomes.size === 0) throw new Error('No test file ran.')
  for (const [test, { state }] of outcomes) {
    const id = plan[test] ?? 0
    waiting[id] = waiting[id]?.filter(each => each !== test) ?? []
    // A file that only started does not end with the change.
    const suffix = state === 'started' ? ' (no end)' : ''
    if (state !== 'passed') results[id] ??= `${relative(scratch, test)}${suffix}`
    else if (waiting[id].length === 0) results[id] ??= 'none fails'
  }
  writeFileSync(inFolder('waiting.json'), JSON.stringify(waiting))
  writeFileSync(inFolder('results.json'), JSON.stringify(results))
  writeFileSync(inFolder('table.md'), formatTable(mutants, results))
  console.error(`${Object.keys(results).length} of ${mutants.length} changes are judged.`)
}
console.log(formatTable(mutants, results))
