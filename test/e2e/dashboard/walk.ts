import { AxeBuilder } from '@axe-core/playwright'
import { source } from 'axe-core'
import type { Page, ViewportSize } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose outcome colours and sizes decide. */
const rulesOfLook = ['color-contrast', 'target-size', 'scrollable-region-focusable']
/** Rows of long tables are like the first ones, and take their time. */
const rowsAlike = 'tbody tr:nth-child(n+6)'
const resultTypes = ['violations' as const]
const wide = { width: 1280, height: 900 }
const narrow = { width: 360, height: 780 }

/** What is wrong, each with the page it was seen on. */
export type Faults = string[]

/** Visits every page that links lead to from some paths on, one of each kind, and returns the paths. */
export async function visitPages(
  page: Page,
  from: readonly string[],
  visit: (page: Page) => Promise<void>,
): Promise<string[]> {
  const ahead = [...from]
  const seen = new Set(from.map(getPageKind))
  for (let at = 0; at < ahead.length; at += 1) {
    await page.goto(ahead[at] ?? '/')
    await visit(page)
    for (const href of await page.evaluate<string[]>('inPage.links()')) {
      const { pathname, search } = new URL(href)
      const kind = getPageKind(pathname + search)
      if (seen.has(kind)) continue
      seen.add(kind)
      ahead.push(pathname + search)
    }
  }
  return ahead
}

/** A path without what tells one thing from another of its kind. */
function getPageKind(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://walk.invalid')
  const kinds = pathname.split('/').map(each => (/[\d%]/.test(each) ? ':' : each))
  return `${kinds.join('/')}?${[...searchParams.keys()].sort()}`
}

/** Collects what a page says went wrong: errors in its console, of its scripts, and what its policy refused. */
export function recordFaults(page: Page, faults: Faults): void {
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', message => {
    // A page that is itself an answer to a mistake says so to its console.
    const isOwnStatus = message.location().url === page.url() && /status of 4/.test(message.text())
    if (/error|warning/.test(message.type()) && !isOwnStatus)
      faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText
    // What was under way when the next page was loaded is given up.
    if (why !== 'net::ERR_ABORTED') faults.push(`${page.url()}: ${request.url()} ${why}`)
  })
}

/** Looks at a page as it is: at all of it wide and light, and at what may differ narrow and dark. */
export async function checkPage(page: Page, faults: Faults): Promise<void> {
  await page.evaluate('inPage.openAll()')
  // Its value is axe itself, which takes long to hand over.
  await page.evaluate(`${source}\nundefined`)
  const axe = () => new AxeBuilder(omitAxeSource(page)).setLegacyMode().exclude(rowsAlike)
  await resizePage(page, wide, 'light')
  await recordViolations(page, faults, axe().options({ resultTypes, runOnly: tags }))
  await resizePage(page, narrow, 'dark')
  await recordViolations(page, faults, axe().options({ resultTypes, runOnly: rulesOfLook }))
}

/** Without axe's source: the builder would put it in twice for each look, which takes longer than to look. */
function omitAxeSource(page: Page): { page: Page; axeSource: string } {
  return { page, axeSource: 'undefined' }
}

async function resizePage(
  page: Page,
  size: ViewportSize,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(size)
}

async function recordViolations(page: Page, faults: Faults, axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze()
  const where = `${page.url()}, ${page.viewportSize()?.width} wide`
  for (const { id, nodes } of violations)
    for (const { html, failureSummary } of nodes)
      faults.push(`${where}: ${id}: ${html} ${failureSummary}`)
  for (const fault of await page.evaluate<string[]>('inPage.faults()'))
    faults.push(`${where}: ${fault}`)
}
