// `npm run screenshots` takes the pictures of the documentation:
// 1. `service.ts` starts the built relay; `clock.ts`, loaded into it, sets its clock.
// 2. `sample-data.ts` creates a month of messages.
// 3. `chromium.ts` starts a browser, which opens each page in light and dark colours.
// 4. `png.ts` compresses each picture, and it is written to docs/pictures/light or
//    docs/pictures/dark.
// With `-- --check`, nothing is written: `compare.ts` compares the pictures with those that are
// there, and the exit code is 1 if more than 0.1 % of the pixels of one differ.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../browser/chromium.js'
import { compareImages } from './compare.js'
import { recompressPng } from './png.js'
import { createSampleData, now, startAt } from './sample-data.js'
import { type Service, startService } from './service.js'

interface Picture {
  readonly name: string
  readonly path: string
  /** Pixels. @default 1280 */
  readonly width?: number
  /** Pixels; a longer page is cropped. @default 720 */
  readonly maxHeight?: number
  /** Runs before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const pictures: readonly Picture[] = [
  { name: 'overview', path: '/', maxHeight: 1085 },
  { name: 'messages', path: '/messages' },
  { name: 'conversation', path: `/conversations/${encodeURIComponent('+12025550147')}` },
  { name: 'send', path: '/send', prepare: typeText },
  { name: 'do-not-text', path: '/do-not-text' },
  { name: 'subscriptions', path: '/subscriptions' },
  { name: 'statistics', path: '/statistics' },
  { name: 'phone', path: '/phones/front-desk' },
  { name: 'secret-urls', path: '/urls' },
  { name: 'phones', path: '/phones' },
  { name: 'api', path: '/docs' },
  { name: 'narrow', path: '/', width: 390, maxHeight: 780 },
  { name: 'narrow-messages', path: '/messages', width: 390, maxHeight: 780 },
]
const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures')

async function typeText(page: Page): Promise<void> {
  await page.getByLabel('To', { exact: true }).fill('+12025550142\n+12025550118')
  await page
    .getByLabel('Message', { exact: true })
    .pressSequentially('Your bicycle is repaired. – See you soon!')
  await page.getByText('in UCS-2').waitFor()
}

/** Replaces the relay's address, whose port is random, in the text of a page. */
async function replaceAddress(page: Page, url: string): Promise<void> {
  await page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { data } = walker.currentNode
      if (data.includes('${url}'))
        walker.currentNode.data = data.replaceAll('${url}', 'https://sms.example.com')
    }
  }`)
}

/** Writes a picture, or compares it with the one that is there. */
type UsePicture = (file: string, png: Buffer) => Promise<void>

async function writePicture(file: string, png: Buffer): Promise<void> {
  const compressed = recompressPng(png)
  await writeFile(join(folder, file), compressed)
  console.log(`${file}: ${Math.ceil(compressed.length / 1024)} KiB`)
}

/** The largest share of pixels that may differ. */
const maxDifference = 0.001

async function createCheck(browser: Browser): Promise<UsePicture> {
  const page = await browser.newPage()
  return async (file, png) => {
    const approved = await readFile(join(folder, file)).catch(() => undefined)
    const share = approved === undefined ? 1 : await compareImages(page, approved, png)
    const isSame = share <= maxDifference
    if (!isSame) process.exitCode = 1
    console.log(`${file}: ${(share * 100).toFixed(3)} % differ${isSame ? '' : ', too many'}`)
  }
}

async function takePictures(
  browser: Browser,
  { url, owner }: Service,
  scheme: 'light' | 'dark',
  use: UsePicture,
): Promise<void> {
  const settings = { baseURL: url, colorScheme: scheme, locale: 'en-US', timezoneId: 'UTC' }
  const context = await browser.newContext({ ...settings, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.clock.setFixedTime(now)
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/')
  for (const { name, path, width = 1280, maxHeight = 720, prepare } of pictures) {
    await page.setViewportSize({ width, height: maxHeight })
    await page.goto(path, { waitUntil: 'load' })
    await prepare?.(page)
    await replaceAddress(page, url)
    await page.locator('h1').click()
    const bottom = await page.evaluate<number>(
      "document.querySelector('main').getBoundingClientRect().bottom",
    )
    const clip = { x: 0, y: 0, width, height: Math.min(maxHeight, Math.ceil(bottom)) }
    const png = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
    await use(join(scheme, `${name}.png`), png)
  }
  await context.close()
}

const directory = await mkdtemp(join(tmpdir(), 'smsrelay-pictures-'))
const browser = await startChromium()
const service = await startService(directory, startAt)
try {
  await createSampleData(service)
  const use = process.argv.includes('--check') ? await createCheck(browser) : writePicture
  for (const scheme of ['light', 'dark'] as const) {
    await mkdir(join(folder, scheme), { recursive: true })
    await takePictures(browser, service, scheme, use)
  }
} finally {
  await browser.close()
  await service.stop()
  await rm(directory, { recursive: true, force: true })
}
