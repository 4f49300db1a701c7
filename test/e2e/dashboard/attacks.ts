import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import type { AtEnd } from '../program.js'
import type { PayloadResources } from './payload-account.js'

/** A request for a resource; `:` in the path is replaced by its identifier. */
export interface ResourceRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly id: string
}

/** Lists all requests for the resources of an account. */
export function listRequests(own: PayloadResources, { id: account }: NewAccount) {
  const [message = ''] = own.messages
  const get = (id: string, ...paths: string[]): ResourceRequest[] =>
    paths.map(path => ({ method: 'GET', path, id }))
  const post = (id: string, folder: string, ...actions: string[]): ResourceRequest[] =>
    actions.map(action => ({ method: 'POST', path: `${folder}/:/${action}`, id }))
  return [
    ...get(message, '/messages/:', '/messages/:/edit', '/send?again=:'),
    ...get(own.subscription, '/subscriptions/:', '/subscriptions/:/edit'),
    ...get(account, '/accounts/:'),
    ...post(message, '/messages', 'delete', 'lock', 'unlock', 'undelete', 'edit', 'retry'),
    ...post(own.subscription, '/subscriptions', 'pause', 'resume', 'delete', 'edit'),
    ...post(own.secretUrl, '/urls', 'revoke'),
    ...post(own.mailbox, '/mailboxes', 'delete'),
    ...post(account, '/accounts', 'delete', 'password'),
  ]
}

/** Returns status, location and text of the reply, with `:` in place of the identifier. */
export async function fetchReply(
  context: BrowserContext,
  { method, path, id, csrf }: ResourceRequest & { readonly csrf: string },
): Promise<string> {
  const form = method === 'POST' ? { form: { csrf, key: randomUUID() } } : {}
  const options = { method, headers: { accept: 'text/html' }, maxRedirects: 0, ...form }
  // Otherwise this reply would contain the flash message of the previous one.
  await context.clearCookies({ name: 'smsrelay_flash' })
  const reply = await context.request.fetch(path.replace(':', id), options)
  const { location = '' } = reply.headers()
  const text = (await reply.text())
    .replace(/>Request [\w-]+</, '')
    .replaceAll(/name="key" value="[\w-]+"/g, '')
  return [reply.status(), location, text].join(' ').replaceAll(id, ':')
}

/** Starts another site on this machine with one page, and returns its URL. */
export async function startOtherSite(html: string, atEnd: AtEnd): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Another site</title>${html}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A form that posts the fields when its button is pressed. */
export function renderForm(action: string, fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${name}" value="${value}">`,
  )
  const content = `${inputs.join('')}<button>${action}</button>`
  return `<form method="post" action="${action}">${content}</form>`
}
