// npm run mutate -- [--count 100] [--seed 1] [--all] [--project NAME]... [--scratch DIR]
//
// 1. Copies the checkout, and chooses changes of `src` that still have correct types.
// 2. Puts them all into the copy, each behind a switch, builds it and runs the tests once: that
//    records which test file reaches which change.
// 3. For each change, runs the test files that reach it, the nearest first, until one fails.
//
// The copy keeps all results: another run with the same copy goes on where this one ended.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** The test files of a change take at most as long as this in sum, in the run that records. */
const mostMilliseconds = 300_000

type Chosen = Mutant & { readonly id: number }

/** Whose `caughtBy` is the test file that failed, or begins with `none`. */
type Results = Record<number, string>

/** A module of the copy that says which change is active, or records which are reached. */
const switchModule = `import { appendFileSync } from 'node:fs'
const active = Number(process.env.MUTATE_ACTIVE ?? -1)
const hits = process.env.MUTATE_HITS
const seen = new Map<number, string>()
export function __mutant(id: number): boolean {
  const test = process.env.MUTATE_TEST
  if (hits !== undefined && test !== undefined && seen.get(id) !== test) {
    seen.set(id, test)
    appendFileSync(hits, \`\${id} \${test}\\n\`)
  }
  return id === active
}
`

/** Tells the switch which test file runs; processes that tests start inherit it. */
const setupModule = '\nprocess.env.MUTATE_TEST = (globalThis as any).__vitest_worker__.filepath\n'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(scratch, file), text)

/** What an earlier run wrote to a file of the copy, or what a step gives for it. */
async function readOr<T>(name: string, step: () => Promise<T>): Promise<T> {
  const file = join(folder, name)
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await step()))
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Runs a program in the copy; after a time, ends it and what it started. */
async function run(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  timeout = 3 * 3_600_000,
) {
  const child = spawn(program, args, {
    ...{ cwd: scratch, env: { ...process.env, ...env }, detached: true },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeout)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { isEnded: code !== null, output }
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
  const { output } = await run(['npx', 'tsc', '--pretty', 'false'])
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

/** Runs test files, all without names; undefined if they do not end. */
async function runTests(tests: readonly string[], env: NodeJS.ProcessEnv, timeout?: number) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const chosen = values.project.flatMap(name => ['--project', name])
  const options = ['--reporter=json', `--outputFile=${report}`, '--experimental.fsModuleCache']
  if (values.all) options.push('--mode=all')
  if (tests.length > 0) options.push('--bail=1', '--maxWorkers=2')
  const { isEnded } = await run(
    ['npx', 'vitest', 'run', ...chosen, ...options, ...tests],
    env,
    timeout,
  )
  if (!isEnded || !existsSync(report)) return undefined
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults as { name: string; status: string; startTime: number; endTime: number }[]
}

/** The time of each test file that passes without an active change; others can catch nothing. */
async function recordReach(): Promise<Record<string, number>> {
  if (values.project.includes('built')) await run(['npm', 'run', 'build'])
  if (values.all) await run(['npx', 'tsc', '-p', 'tools/chaos/tsconfig.json'])
  writeFileSync(join(folder, 'hits.txt'), '')
  const results = await runTests([], { MUTATE_HITS: join(folder, 'hits.txt') })
  const passed = results?.filter(({ status }) => status === 'passed') ?? []
  if (passed.length === 0) throw new Error('No test file passes in the copy.')
  return Object.fromEntries(passed.map(each => [each.name, each.endTime - each.startTime]))
}

/** The words that the paths of a change and of a test have in common. */
function countCommonWords(file: string, test: string): number {
  const toWords = (path: string) => new Set(path.replace(/\.(?:test\.)?tsx?$/, '').split(/[/-]/))
  return [...toWords(file)].filter(word => toWords(relative(scratch, test)).has(word)).length
}

async function findCatcher({ id, file }: Chosen, times: Readonly<Record<string, number>>) {
  const hits = readFileSync(join(folder, 'hits.txt'), 'utf8').split('\n')
  const own = hits.filter(hit => hit.startsWith(`${id} `)).map(hit => hit.split(' ')[1] ?? '')
  const timeOf = (test: string) => times[test] ?? 0
  const reached = [...new Set(own)].filter(test => test in times)
  if (reached.length === 0) return 'none reaches it'
  const nearness = new Map(reached.map(test => [test, countCommonWords(file, test)]))
  const near = (test: string) => nearness.get(test) ?? 0
  const tests = reached.sort((a, b) => near(b) - near(a) || timeOf(a) - timeOf(b))
  let spent = 0
  for (let from = 0, size = 6; from < tests.length; from += size, size *= 3) {
    const batch = tests.slice(from, from + size)
    const usual = batch.reduce((sum, test) => sum + timeOf(test), 0)
    const results = await runTests(batch, { MUTATE_ACTIVE: String(id) }, 180_000 + 5 * usual)
    if (results === undefined) return 'no end'
    const failed = results.find(({ status }) => status === 'failed')
    if (failed !== undefined) return relative(scratch, failed.name)
    spent += usual
    if (spent > mostMilliseconds) return `none of the first ${from + batch.length} fails`
  }
  return `none of ${tests.length} fails`
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
for (const mutant of mutants.filter(({ id }) => !(id in results))) {
  results[mutant.id] = await findCatcher(mutant, times)
  console.error(`${mutant.id} ${mutant.file}:${mutant.line} ${results[mutant.id]}`)
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results))
  writeFileSync(join(folder, 'table.md'), formatTable(mutants, results))
}
console.log(formatTable(mutants, results))
