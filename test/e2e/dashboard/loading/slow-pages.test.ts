import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fillLists } from '../../../../tools/browser/fill-lists.js'
import { listenOnLoopback } from '../../../../tools/ports/listen-on-loopback.js'
import { openClient, openPage, openPhone, signInByRequest } from '../dashboard-service.js'
import { browser, describeInChromium, service } from '../describe-in-chromium.js'

const parts = 4
/** Milliseconds between two parts of a page: the browser could show each of them. */
const partInterval = 100

/** A proxy that passes on pages in parts. */
function createSlowProxy(url: string): Server {
  const { hostname, port } = new URL(url)
  return createServer((incoming, response) => {
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
    const forward = request({ hostname, port, method, path, headers }, reply => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      const isPage = reply.headers['content-type']?.startsWith('text/html') === true
      if (isPage) void sendInParts(reply, response)
      else reply.pipe(response)
    })
    incoming.pipe(forward)
  })
}

async function sendInParts(reply: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(reply)
  const size = Math.ceil(body.length / parts)
  for (let at = 0; at < body.length; at += size) {
    response.write(body.subarray(at, at + size))
    await delay(partInterval)
  }
  response.end()
}

/** Runs in each page before its own scripts. */
const observer = `
  self.shifts = []
  new PerformanceObserver(list => self.shifts.push(...list.getEntries()))
    .observe({ type: 'layout-shift', buffered: true })`

const countShifts = `new Promise(resolve =>
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(self.shifts.length))))`

describeInChromium('slow pages', () => {
  test('nothing moves while a page arrives', async () => {
    const { owner } = service
    const phone = openPhone(service, owner, 'front-desk')
    await fillLists(openClient(service, owner), phone, 'front-desk')
    const proxy = createSlowProxy(service.url)
    const url = `http://127.0.0.1:${await listenOnLoopback(proxy)}`
    onTestFinished(async () => {
      proxy.closeAllConnections()
      await proxy[Symbol.asyncDispose]()
    })
    const { page, context } = await openPage(browser, { url }, onTestFinished)
    await signInByRequest(context, owner)
    await context.addInitScript(observer)
    const moved: Record<string, number> = {}
    for (const path of ['/', '/contacts', '/templates', '/do-not-text', '/urls', '/messages']) {
      await page.goto(path)
      const shifts = await page.evaluate<number>(countShifts)
      if (shifts > 0) moved[path] = shifts
    }
    expect(moved).toEqual({})
  })
})
