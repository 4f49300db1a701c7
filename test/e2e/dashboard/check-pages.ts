import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isFullRun } from '../../tier.js'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose result depends on the size of the window. */
const layoutRules = ['target-size', 'scrollable-region-focusable']
const themes = isFullRun ? (['dark', 'light'] as const) : (['light'] as const)
/** The kinds of text without faults so far. Checking colours takes longer than all else. */
const goodTexts = new Set<string>()
/** Later rows are like the first ones and take long to check. */
const laterRows = 'tbody tr:nth-child(n+6)'
const rowsToSkip = JSON.stringify(laterRows)
/** The sizes of windows in which pages are checked; `npm test` checks the first. */
export const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
].slice(0, isFullRun ? 3 : 1)
/** Nothing may be wider than this window, whatever rows a table has. */
const narrowest = { width: 320, height: 640 }

/** Faults, each with the page on which it was found. */
export type Faults = string[]

/** Records errors of the console and of scripts, requests that fail, and violations of the CSP. */
export function recordFaults(page: Page, faults: Faults): void {
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', message => {
    // The console reports the status of an error page.
    const isOwnStatus = message.location().url === page.url() && /status of 4/.test(message.text())
    if (/error|warning/.test(message.type()) && !isOwnStatus)
      faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('requestfailed', request => {
    const error = request.failure()?.errorText
    // Loading the next page aborts the requests of this one.
    if (error !== 'net::ERR_ABORTED') faults.push(`${page.url()}: ${request.url()} ${error}`)
  })
}

/** Lets the pages that follow load axe themselves, which is faster if many are checked. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addInitScript(axe)
}

/**
 * Checks a page in all sizes and both themes: first with all rules, then with those whose result
 * may differ. Of texts with the same ancestors and colours in one size, one is checked.
 */
export async function checkPage(page: Page, faults: Faults): Promise<void> {
  await checkNarrowPage(page, faults)
  // Elements of the API reference take as long while they are in the page, checked or not.
  await page.evaluate(`inPage.removeSimilar('.operation')`)
  await page.evaluate(`inPage.removeAll('.operation ${laterRows}')`)
  // Without `undefined`, the value would be axe itself, which takes long to transfer.
  if (!(await page.evaluate('"axe" in self'))) await page.evaluate(`${axe}\nundefined`)
  let rules = tags
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await checkTexts(page, faults)
    }
    await recordFaultsInPage(page, faults, rules)
    rules = layoutRules
  }
}

/** Checks that a page fits the narrowest window and runs no payload. */
export async function checkNarrowPage(page: Page, faults: Faults): Promise<void> {
  await page.evaluate('inPage.openAll()')
  await page.setViewportSize(narrowest)
  addFaults(page, faults, await page.evaluate<string[]>('inPage.faults()'))
}

/** Checks the colours of those texts of which no text of the same kind was good. */
async function checkTexts(page: Page, faults: Faults): Promise<void> {
  const { width } = page.viewportSize() ?? narrowest
  const kinds = await page.evaluate<string[]>(`[...inPage.findTexts(${rowsToSkip}).keys()]`)
  const unknown = kinds.filter(kind => !goodTexts.has(`${width} ${kind}`))
  if (unknown.length === 0) return
  const code = `inPage.checkColors(${JSON.stringify(unknown)}, ${rowsToSkip})`
  const { checked, found } = await page.evaluate<{ checked: string[]; found: string[] }>(code)
  addFaults(page, faults, found)
  if (found.length === 0) for (const kind of checked) goodTexts.add(`${width} ${kind}`)
}

async function recordFaultsInPage(
  page: Page,
  faults: Faults,
  rules: readonly string[],
): Promise<void> {
  const code = `inPage.check(${JSON.stringify(rules)}, ${rowsToSkip})`
  addFaults(page, faults, await page.evaluate<string[]>(code))
}

function addFaults(page: Page, faults: Faults, found: readonly string[]): void {
  for (const fault of found)
    faults.push(`${page.url()}, ${page.viewportSize()?.width} wide: ${fault}`)
}

/** The element with the focus: its label or text, and whether it is visible and marked. */
interface Focus {
  readonly name: string
  readonly isMarked: boolean
  readonly isInView: boolean
}

/**
 * Presses Tab until the named element has the focus. Checks that each element on the way shows its
 * focus, and returns their names.
 */
export async function tabTo(page: Page, name: string): Promise<string[]> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus>('inPage.focus()')
    expect(focus).toMatchObject({ isMarked: true, isInView: true })
    if (passed.at(-1) !== focus.name) passed.push(focus.name)
    if (focus.name === name) return passed
  }
  throw new Error(`Tab did not reach ${name}, only ${passed.join(', ')}.`)
}
