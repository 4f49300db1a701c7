import { RelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PageHandler, Pages } from './page.js'

/** Pages of the owner's account; for every other one there is nothing at their paths. */
export function restrictToOwner(
  { accounts }: Pick<ServerContext, 'accounts'>,
  pages: Pages,
): Pages {
  const guard = (handler: PageHandler): PageHandler => {
    const guarded: PageHandler = async visit => {
      if (await accounts.isOwner(visit.account)) return await handler(visit)
      throw new RelayError('not_found', `There is no page at ${visit.request.path}.`)
    }
    return Object.assign(
      guarded,
      handler.maxBytes === undefined ? {} : { maxBytes: handler.maxBytes },
    )
  }
  const guarded = Object.entries(pages).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, each]) => [name, guard(each)] as const)
    return [path, Object.fromEntries(handlers)] as const
  })
  return Object.fromEntries(guarded)
}
