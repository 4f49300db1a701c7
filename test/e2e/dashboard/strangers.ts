import type { BrowserContext } from 'playwright-core'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import type { Belongings } from './hostile.js'

/** A request for a thing; `:` stands for its id. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly id: string
}

/** All requests for the things of an account. */
export function listRequests(own: Belongings, { id: account }: NewAccount): Request[] {
  const { messages, subscription, url, mailbox } = own
  const [message = ''] = messages
  const get = (id: string, ...paths: string[]) =>
    paths.map(path => ({ method: 'GET', path, id }) as const)
  const post = (id: string, of: string, ...verbs: string[]) =>
    verbs.map(verb => ({ method: 'POST', path: `${of}/:/${verb}`, id }) as const)
  return [
    ...get(message, '/messages/:', '/messages/:/edit', '/send?again=:'),
    ...get(subscription, '/subscriptions/:', '/subscriptions/:/edit'),
    ...get(account, '/accounts/:'),
    ...post(message, '/messages', 'delete', 'lock', 'unlock', 'undelete', 'edit'),
    ...post(subscription, '/subscriptions', 'pause', 'resume', 'delete', 'edit'),
    ...post(url, '/urls', 'revoke'),
    ...post(mailbox, '/mailboxes', 'delete'),
    ...post(account, '/accounts', 'delete', 'password'),
  ]
}

/** What is answered to a request of whoever is signed in, without the id that it is about. */
export async function fetchReply(
  context: BrowserContext,
  { method, path, id, csrf }: Request & { readonly csrf: string },
): Promise<string> {
  const form = method === 'POST' ? { form: { csrf, yes: 'true' } } : {}
  const options = { method, headers: { accept: 'text/html' }, maxRedirects: 0, ...form }
  // What the answer before had to say would stand in this one.
  await context.clearCookies({ name: 'smsrelay_flash' })
  const reply = await context.request.fetch(path.replace(':', id), options)
  const { location = '' } = reply.headers()
  return [reply.status(), location, await reply.text()].join(' ').replaceAll(id, ':')
}
