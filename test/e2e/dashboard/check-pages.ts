import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Each theme with the rules whose result depends on it or on sizes. */
const themes = [
  ['dark', ['color-contrast']],
  ['light', ['color-contrast', 'target-size', 'scrollable-region-focusable']],
] as const
/** Later rows are like the first ones and take long to check. */
const laterRows = 'tbody tr:nth-child(n+6)'
/** The sizes of windows in which pages are checked. */
export const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]
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

/**
 * Checks a page in all sizes and both themes: first with all rules, then with those whose result
 * may differ.
 */
export async function checkPage(page: Page, faults: Faults): Promise<void> {
  await page.evaluate('inPage.openAll()')
  await page.setViewportSize(narrowest)
  await recordFaultsInPage(page, faults, [])
  // Elements of the API reference take as long while they are in the page, checked or not.
  await page.evaluate(`inPage.removeSimilar('.operation')`)
  await page.evaluate(`inPage.removeAll('.operation ${laterRows}')`)
  // Without `undefined`, the value would be axe itself, which takes long to transfer.
  await page.evaluate(`${axe}\nundefined`)
  let isFirst = true
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const [theme, rules] of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await recordFaultsInPage(page, faults, isFirst ? tags : rules)
      isFirst = false
    }
  }
}

async function recordFaultsInPage(
  page: Page,
  faults: Faults,
  rules: readonly string[],
): Promise<void> {
  const found = await page.evaluate<string[]>(
    `inPage.check(${JSON.stringify(rules)}, ${JSON.stringify(laterRows)})`,
  )
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
