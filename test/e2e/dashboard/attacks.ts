import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { listFormRoutes, listPageRoutes } from '../../../tools/browser/dashboard-routes.js'
import type { AtEnd } from '../program.js'
import type { PayloadResources } from './payload-account.js'

/** A request for a resource; `:` in the path and in the form is replaced by its identifier. */
export interface ResourceRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly id: string
  readonly form?: Readonly<Record<string, string>>
}

/** Forms without a resource of the account in their path. */
const otherForms = new Set([
  ...['/conversations/:number', '/do-not-text', '/do-not-text/import', '/do-not-text/remove'],
  ...['/contacts', '/contacts/:number', '/contacts/:number/delete', '/contacts/groups'],
  ...['/contacts/import', '/templates', '/send/contacts'],
  ...['/mailboxes', '/send', '/send/length', '/send/many', '/subscriptions', '/urls'],
  ...['/settings', '/accounts/new'],
])

/** Lists all requests for the resources of an account: those of every form and page with one. */
export function listRequests(own: PayloadResources, { id: account }: NewAccount) {
  const [message = ''] = own.messages
  const resources: Readonly<Record<string, string>> = {
    messages: message,
    subscriptions: own.subscription,
    urls: own.secretUrl,
    mailboxes: own.mailbox,
    contacts: own.group,
    templates: own.template,
    accounts: account,
    phones: own.phone,
  }
  const find = (method: 'GET' | 'POST', routes: readonly string[]): ResourceRequest[] =>
    routes.map(route => {
      const [, folder = ''] = route.split('/')
      const path = route.replace(/:(id|name)/, ':').replace('/:name', '/api')
      return { method, path, id: resources[folder] ?? '' }
    })
  const ids = listPageRoutes().filter(route =>
    /^\/(?!conversations|settings|contacts\/:number).*:/.test(route),
  )
  const forms = listFormRoutes().filter(
    route => !otherForms.has(route) && !route.startsWith('/settings/'),
  )
  const bulk = { do: 'lock', 'm-:': 'on', ids: ':' }
  return [
    ...find('GET', ids),
    { method: 'GET', path: '/send?again=:', id: message } as const,
    ...find('POST', forms).map(each =>
      each.path.startsWith('/messages/bulk') ? { ...each, form: bulk } : each,
    ),
  ]
}

/** Returns status, location and text of the reply, with `:` in place of the identifier. */
export async function fetchReply(
  context: BrowserContext,
  { method, path, id, form: fields = {}, csrf }: ResourceRequest & { readonly csrf: string },
): Promise<string> {
  const own = Object.entries(fields).map(pair => pair.map(each => each.replace(':', id)))
  const input = { csrf, key: randomUUID(), ...Object.fromEntries(own) }
  const form = method === 'POST' ? { form: input } : {}
  const options = { headers: { accept: 'text/html' }, maxRedirects: 0 }
  // Otherwise this reply would contain the flash message of the previous one.
  await context.clearCookies({ name: 'smsrelay_flash' })
  const reply = await context.request.fetch(path.replace(':', id), { method, ...options, ...form })
  const { location = '' } = reply.headers()
  const text = (await reply.text())
    .replace(/>Request [\w-]+</, '')
    .replaceAll(/(name="key" value|name="csrf" value|data-csrf)="[\w-]+"/g, '')
    .replace(/<!-- [\w-]* -->/, '')
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
