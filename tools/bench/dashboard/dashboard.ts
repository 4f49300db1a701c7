// The dashboard in a browser, on a full store:
// 1. The built relay opens the records, and `tools/browser/fill-lists.ts` fills each list.
// 2. measure-page: a Chromium visits every page (page-addresses), each time with an empty cache.
// 3. live-pages: the relay's processor time while many live pages are open and nothing happens.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { RelayClient } from '../../../src/client/relay-client.js'
import { startChromium } from '../../browser/chromium.js'
import { fillLists } from '../../browser/fill-lists.js'
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
import { listPageAddresses } from './page-addresses.js'

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
  return await withDatabase(async database => {
    await bench.children.seedDatabase(database.url, chooseAmounts(bench.options))
    await database.query('vacuum analyze')
    return await measureProgram(bench, ['--database', database.url])
  })
}

function chooseAmounts({ million }: Options): Amounts {
  const few = Math.round(million / 100)
  return { sent: million - 2 * few, failed: few, scheduled: few, neighbors: 1 }
}

async function measureProgram({ options }: Bench, flags: readonly string[]): Promise<Figure[]> {
  const home = mkdtempSync(join(options.base, 'smsrelay-bench-home-'))
  const browser = await startChromium()
  const program = await startProgram(flags, home)
  try {
    return await measurePages(program, browser, options)
  } finally {
    await browser.close()
    await program.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measurePages(
  program: RunningProgram,
  browser: Browser,
  options: Options,
): Promise<Figure[]> {
  const { url } = program
  const open = (password: string) =>
    new RelayClient({
      ...{ url, credentials: { user: keys.secretKey, password } },
      phone: { name: phone, driver: 'simulate' },
    })
  const client = open(keys.apiKey)
  const lists = await fillLists(client, open(keys.appKey), phone)
  const [failed] = await client.messages.list({ filter: 'failed', count: 1 })
  const [scheduled] = await client.messages.list({ filter: 'normal', count: 1 })
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' })
  await context.request.post('/login', { form: person })
  const page = await openMeasuredPage(context)
  const visits: PageVisits[] = []
  for (const [route, address] of listPageAddresses(lists, failed?.id ?? '')) {
    const path = route.endsWith('/edit')
      ? address.replace(failed?.id ?? '', scheduled?.id ?? '')
      : address
    // The first visit is a warm-up of the relay and is not counted.
    const [, ...counted] = await visitPage(page, path, 1 + visitsOfRound * options.rounds)
    visits.push({ route, visits: counted })
  }
  await page.close()
  const idle = await measureLivePages(program, await formatCookies(context), {
    ...{ pages: livePages, seconds: options.seconds * 5 },
  })
  return [...summarize(visits), createIdleFigure(idle), ...visits.map(createPageFigure)]
}

interface PageVisits {
  readonly route: string
  readonly visits: readonly Visit[]
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

function createPageFigure({ route, visits }: PageVisits): Figure {
  const firstBytes = visits.map(({ firstByte }) => firstByte).sort((a, b) => a - b)
  const paint = getMedian(visits.map(({ largestPaint }) => largestPaint))
  const bytes = Math.max(...visits.map(visit => visit.bytes))
  return {
    row: `GET ${route}, first byte`,
    value: getMedian(firstBytes),
    ...{ unit: 'ms', target: { most: 15 } },
    p50: getMedian(firstBytes),
    p99: firstBytes.at(-1) ?? Number.NaN,
    note: `largest paint ${paint.toFixed(0)} ms, ${(bytes / 1000).toFixed(1)} kB`,
  }
}
