import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What has the focus: its label or text, whether it is in the window, and whether one sees that it has it. */
interface Focus {
  readonly name: string
  readonly isMarked: boolean
  readonly isInView: boolean
}

/** Presses Tab until something has the focus; returns all that had it on the way. Whatever has it must show it. */
export async function tabTo(page: Page, name: string): Promise<string[]> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus>('inPage.focus()')
    expect(focus).toMatchObject({ isMarked: true, isInView: true })
    if (passed.at(-1) !== focus.name) passed.push(focus.name)
    if (focus.name === name) return passed
  }
  throw new Error(`Tab never came to ${name}, but to ${passed.join(', ')}.`)
}
