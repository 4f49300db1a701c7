// What the pages of the dashboard show to people with a role.
// - page-roles: the role that each page and form needs, in one table
// - hide-forbidden: leaves out of a page what the role of the person does not allow
// `signed-in-request.ts` checks the role before any other work of a page, so what a page leaves out
// is only a matter of what people see; a form that was sent nevertheless is refused.

import type { Role } from '../../../domain/account/person.js'
import { allResources } from '../../../resources/resources.js'

/** The role that a page of the dashboard needs to be read, and the one that its forms need. */
type PageRoles = readonly [pages: RegExp, get: Role, post: Role]

/**
 * The roles of all pages; the first row that matches counts. A page without a row is for admins, so
 * that a new page shows nothing to others by mistake.
 */
const table: readonly PageRoles[] = [
  [/^\/(live|results\/.*|logout)?$/, 'reader', 'reader'],
  [/^\/settings\/(email|password|theme|sessions|security)(\/.*)?$/, 'reader', 'reader'],
  [/^\/settings$/, 'reader', 'admin'],
  [
    /^\/(send|messages\/[^/]+\/edit|do-not-text\/import|contacts\/import)(\/.*)?$/,
    'sender',
    'sender',
  ],
  [/^\/contacts\/groups\/[^/]+(\/.*)?$/, 'sender', 'sender'],
  ...allResources.map(
    ({ page, role, readRole = 'reader' }): PageRoles => [
      new RegExp(`^${page.path}(/.*)?$`),
      readRole,
      role,
    ],
  ),
  [/^\/(messages|conversations|received|do-not-text|contacts)([/.].*)?$/, 'reader', 'sender'],
  [/^\/scheduled(\/.*)?$/, 'reader', 'sender'],
  [/^\/phones(\/.*)?$/, 'reader', 'admin'],
  [/^\/statistics([/.].*)?$/, 'reader', 'admin'],
]

export function getPageRole(method: string, path: string): Role {
  const row = table.find(([pages]) => pages.test(path))
  if (row === undefined) return 'admin'
  return method === 'POST' ? row[2] : row[1]
}
