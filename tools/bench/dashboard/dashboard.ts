// The dashboard in a browser, on a full store:
// 1. The built relay opens the records, and `tools/browser/fill-lists.ts` fills each list.
// 2. page-addresses follows the links of a page to an address of every page; measure-page: a
//    Chromium visits each of them, each time with an empty cache.
// 3. live-pages: the relay's processor time while many live pages are open and nothing happens.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { RelayClient } from '../../../src/client/relay-client.js'
import { startChromium } from '../../browser/chromium.js'
import { fillLists } from '../../browser/fill-lists.js'
import { readCpuTime } from '../../postgres/start-postgres.js'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import type { Options } from '../options.js'
import type { Figure } from '../report/figure.js'
import { keys, person } from '../servers/accounts.js'
import { type RunningProgram, startProgram } from '../servers/program.js'
import type { Amounts } from '../servers/records.js'
import { withDatabase } from '../store-rows/compare-stores.js'
import { measureLivePages } from './live-pages.js'
import { openMeasuredPage, type Visit, visitPage } from './measure-page.js'
import { findPageAddresses } from './page-addresses.js'

const livePages = 200
const visitsOfRound = 5
const phone = 'front-desk'

/** Measures the pages of the dashboard on the embedded store. */
export async function measureDashboard(bench: Bench): Promise<Figure[]> {
  const directory = await bench.children.seed(chooseAmounts(bench.options))
  const figures = await measureProgram(bench, ['--data', directory])
  bench.children.remove(directory)
  return figures
}

/** Measures the pages of the dashboard on a database. */
export async function measureStoreDashboard(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async ({ url, query, cpu }) => {
    await bench.children.seedDatabase(url, chooseAmounts(bench.options))
    await query('vacuum analyze')
    return await measureProgram(bench, ['--database', url], cpu)
  })
}

function chooseAmounts({ million }: Options): Amounts {
  const few = Math.round(million / 100)
  const sent = million - 2 * few
  return { sent, failed: few, scheduled: few, neighbors: 1, hasTimedIds: true }
}

async function measureProgram(
  { options }: Bench,
  flags: readonly string[],
  readDatabaseTime?: () => number,
): Promise<Figure[]> {
  const home = mkdtempSync(join(options.base, 'smsrelay-bench-home-'))
  const browser = await startChromium()
  const program = await startProgram(flags, home)
  try {
    const readTimes = (): ProcessorTimes => ({
      relay: readCpuTime(program.pid),
      database: readDatabaseTime?.(),
    })
    return await measurePages(program, browser, { options, readTimes })
  } finally {
    await browser.close()
    await program.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Setting {
  readonly options: Options
  readonly readTimes: () => ProcessorTimes
}

async function measurePages(
  program: RunningProgram,
  browser: Browser,
  { options, readTimes }: Setting,
): Promise<Figure[]> {
  const { url } = program
  await fill(url)
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' })
  await context.request.post('/login', { form: person })
  const page = await openMeasuredPage(context)
  const pages: PageVisits[] = []
  for (const [route, address] of await findPageAddresses(page)) {
    await visitPage(page, address, 1)
    const times = visitsOfRound * options.rounds
    const before = readTimes()
    const visits = await visitPage(page, address, times)
    pages.push({ route, visits, cpu: compareTimes(before, readTimes(), times) })
  }
  await page.close()
  const idle = await measureLivePages(program, await formatCookies(context), {
    ...{ pages: livePages, seconds: options.seconds * 5 },
  })
  return [...summarize(pages), createIdleFigure(idle), ...pages.map(createPageFigure)]
}

async function fill(url: string): Promise<void> {
  const open = (password: string) =>
    new RelayClient({
      ...{ url, credentials: { user: keys.secretKey, password } },
      phone: { name: phone, driver: 'simulate' },
    })
  await fillLists(open(keys.apiKey), open(keys.appKey), phone)
}

/** Processor time in microseconds. */
interface ProcessorTimes {
  readonly relay: number
  /** Undefined with the embedded store. */
  readonly database: number | undefined
}

function compareTimes(before: ProcessorTimes, after: ProcessorTimes, visits: number) {
  const relay = (after.relay - before.relay) / visits
  if (after.database === undefined || before.database === undefined)
    return { relay, database: undefined }
  return { relay, database: (after.database - before.database) / visits }
}

interface PageVisits {
  readonly route: string
  readonly visits: readonly Visit[]
  /** Processor time of one visit. */
  readonly cpu: ProcessorTimes
}

async function formatCookies(context: BrowserContext): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}

/** One figure for each requirement: that of the worst page. */
function summarize(pages: readonly PageVisits[]): Figure[] {
  const create = (
    row: string,
    name: keyof Visit,
    unit: Figure['unit'],
    most: number,
    summary: (values: readonly number[]) => number,
  ): Figure => {
    const values = pages.map(({ route, visits }) => ({
      route,
      value: summary(visits.map(visit => visit[name])),
    }))
    const [worst] = values.sort((a, b) => b.value - a.value)
    return { row, value: worst?.value, unit, target: { most }, note: `worst: ${worst?.route}` }
  }
  const getMax = (values: readonly number[]): number => Math.max(...values)
  return [
    create('first byte of a page, p50', 'firstByte', 'ms', 15, getMedian),
    create('largest contentful paint, p50', 'largestPaint', 'ms', 300, getMedian),
    create('cumulative layout shift', 'layoutShift', 'ratio', 0, getMax),
    create('a page over the wire, empty cache', 'bytes', 'bytes', 60_000, getMax),
    create('its scripts', 'scriptBytes', 'bytes', 20_000, getMax),
  ]
}

function createIdleFigure(value: number): Figure {
  const row = `${livePages} open live pages, idle: cores of the relay`
  return { row, value, unit: 'ratio', target: { most: 0.05 } }
}

function createPageFigure({ route, visits, cpu }: PageVisits): Figure {
  const firstBytes = visits.map(({ firstByte }) => firstByte).sort((a, b) => a - b)
  const paint = getMedian(visits.map(({ largestPaint }) => largestPaint))
  const bytes = Math.max(...visits.map(visit => visit.bytes))
  const format = (time: number) => `${(time / 1000).toFixed(0)} ms`
  const database = cpu.database === undefined ? '' : ` + ${format(cpu.database)}`
  return {
    row: `GET ${route}, first byte`,
    value: getMedian(firstBytes),
    ...{ unit: 'ms', target: { most: 15 } },
    p50: getMedian(firstBytes),
    p99: firstBytes.at(-1) ?? Number.NaN,
    note:
      `largest paint ${paint.toFixed(0)} ms, ${(bytes / 1000).toFixed(1)} kB, ` +
      `processor ${format(cpu.relay)}${database}`,
  }
}
