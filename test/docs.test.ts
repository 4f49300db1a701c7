import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { createWebhookRequest } from '../src/contract/webhook/webhook-request.js'
import { listFiles, projectRoot, readText } from './source-tree.js'
import { temporaryFolder } from './temporary-folder.js'

const pages = listFiles(['*.md', 'docs', 'tools', 'test', 'src'], /\.md$/)

/** The anchors of a page's headings, as the usual renderers make them. */
function listAnchors(page: string): Set<string> {
  const headings = [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return new Set(
    headings.map(title =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\d _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Links and pictures of a page that lead to a file or a heading of the project. */
function listLinks(page: string): string[] {
  const text = readText(page).replace(/```[\s\S]*?```/g, '')
  const links = text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)
  return [...links].map(match => match[1] ?? match[2] ?? '').filter(link => !/^[a-z]+:/.test(link))
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(projectRoot, target))) return true
  return anchor !== undefined && !listAnchors(target).has(anchor)
}

test('every link of every page leads to a file and a heading that exist', () => {
  const links = pages.flatMap(page => listLinks(page).map(link => ({ page, link })))
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([])
})

test('every page of docs is linked from another page', () => {
  const linked = new Set(
    pages.flatMap(page =>
      listLinks(page).map(link => normalize(join(dirname(page), link.split('#')[0] ?? ''))),
    ),
  )
  const alone = pages.filter(page => page.startsWith('docs/') && !linked.has(page))
  expect(alone).toEqual([])
})

test('the README has at most 200 lines', () => {
  expect(readText('README.md').split('\n').length).toBeLessThanOrEqual(200)
})

test('the changelog has each section of a release and each line once', () => {
  const [, ...releases] = readText('CHANGELOG.md').split(/^## /m)
  for (const release of releases) {
    const lines = [...release.matchAll(/^(?:### |- ).*$/gm)].map(([line]) => line)
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([])
  }
})

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const event = { seq: 12, event: 'message.sent', message: '0198c0de-0000' } as const

type VerifyMessageId = (
  request: { url: string; headers: Record<string, string> },
  body: string,
) => string

/** The code that the guide shows for receivers. */
async function loadGuideCode(): Promise<VerifyMessageId> {
  const guide = await readFile(join(projectRoot, 'docs/guide/webhooks.md'), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const library = import.meta.resolve('standardwebhooks')
  const file = join(await temporaryFolder(), 'receiver.mjs')
  await writeFile(file, code.replace('standardwebhooks', library))
  vi.stubEnv('SMSRELAY_HOOK_SECRET', secret)
  const { verifyMessageId } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  vi.unstubAllEnvs()
  return verifyMessageId
}

function createWebhook(post: boolean, timestamp = Math.floor(Date.now() / 1000)) {
  const how = { url: 'http://h/hook?a=1', method: 'POST', post }
  const stamp = { previous: 9, from: 'smsrelay', secrets: [secret], timestamp }
  const { target, headers, body } = createWebhookRequest(event, how, stamp)
  return { request: { url: target, headers: { ...headers } }, body }
}

test.each([true, false])('the code of the guide accepts a webhook with post %s', async post => {
  const { request, body } = createWebhook(post)
  expect((await loadGuideCode())(request, body)).toBe(event.message)
})

test('the code of the guide refuses old and changed webhooks', async () => {
  const verifyMessageId = await loadGuideCode()
  const old = createWebhook(true, 1_000_000_000)
  expect(() => verifyMessageId(old.request, old.body)).toThrow('too old')
  for (const post of [true, false]) {
    const { request, body } = createWebhook(post)
    const changed = { ...request, url: request.url.replace('0198', '0199') }
    const changedBody = body.replace('0198', '0199')
    expect(() => verifyMessageId(changed, changedBody)).toThrow('No matching signature')
  }
})
