import type { BrowserContext, Page } from 'playwright-core'

/** What a browser measured of one visit of a page. */
export interface Visit {
  /** Milliseconds from the request to the first byte of its reply. */
  readonly firstByte: number
  /** Milliseconds from the navigation to the largest contentful paint. */
  readonly largestPaint: number
  /** Cumulative layout shift, of the longest session window. */
  readonly layoutShift: number
  /** Bytes of the page with all files that it loads, as they come over the wire. */
  readonly bytes: number
  /** Bytes of its scripts. */
  readonly scriptBytes: number
}

/** Runs in each page before its own scripts. */
const observers = `
  self.paints = []
  self.shifts = []
  const observe = (type, list) =>
    new PerformanceObserver(entries => list.push(...entries.getEntries()))
      .observe({ type, buffered: true })
  observe('largest-contentful-paint', self.paints)
  observe('layout-shift', self.shifts)`

/** Waits for two frames after the page is loaded: the observers have then its last paint. */
const readVisit = `
  new Promise(resolve =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))
  ).then(() => {
    const [page] = performance.getEntriesByType('navigation')
    const files = performance.getEntriesByType('resource')
    const sum = entries => entries.reduce((total, each) => total + each.encodedBodySize, 0)
    return {
      firstByte: page.responseStart - page.requestStart,
      largestPaint: Math.max(...self.paints.map(each => each.startTime)),
      layoutShift: self.shifts
        .filter(each => !each.hadRecentInput)
        .reduce((total, each) => total + each.value, 0),
      bytes: sum([page, ...files]),
      scriptBytes: sum(files.filter(each => each.initiatorType === 'script')),
    }
  })`

/** Opens a tab whose visits are measured. */
export async function openMeasuredPage(context: BrowserContext): Promise<Page> {
  await context.addInitScript(observers)
  return await context.newPage()
}

/** Visits a page several times, each time with an empty cache. */
export async function visitPage(page: Page, path: string, times: number): Promise<Visit[]> {
  const session = await page.context().newCDPSession(page)
  const visits: Visit[] = []
  for (let visit = 0; visit < times; visit += 1) {
    await session.send('Network.clearBrowserCache')
    const reply = await page.goto(path)
    if (reply?.status() !== 200) throw new Error(`${path} was answered with ${reply?.status()}.`)
    visits.push(await page.evaluate<Visit>(readVisit))
  }
  await session.detach()
  return visits
}
