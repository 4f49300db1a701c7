// How a page handles a request:
// 1. `signed-in-request.ts` finds the session, reads the form and checks its CSRF token, and passes
//    a `PageRequest` to the handler of the path.
// 2. The handler calls the services and returns a `PageResult`. `page-guards.ts` limits pages to
//    the owner, `confirmed-action.tsx` and `shown-secrets.tsx` ask for the password again;
//    `field-errors.ts` parses forms with the schemas of the API; `table-upload.tsx` reads uploaded
//    tables. `form-guard.ts` stops a form from having its effect twice.
// 3. `page-sender.tsx` sends the result: a page in its `layout.tsx` with the `navigation.tsx`, a
//    part of one, or a redirect with a `flash.ts` message. `page-version.ts` lets the script update
//    an open page only if it has changed; `live-events.ts` tells it when to ask.
// `static-files.ts` serves the scripts and styles.

import type { Account } from '../../../domain/account/account.js'
import type { AuditOrigin } from '../../../domain/audit/audit-entry.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import type { Caller } from '../../services/accounts/token-service.js'
import type { Child, Html } from '../components/html.js'
import type { SecondFactorPrompt } from '../session/second-factor-check.js'
import type { Flash } from './flash.js'

/**
 * A request of a dashboard page. The person is signed in, and the CSRF token of a POST is already
 * checked.
 */
export interface PageRequest {
  readonly http: HttpRequest
  readonly response: HttpResponse
  readonly caller: Caller
  /** Who sends the page's request, and from where, for the audit log. */
  readonly origin: AuditOrigin
  readonly account: Account
  readonly session: string
  readonly csrf: string
  /** What a form that confirms an action asks for besides the password; undefined: nothing. */
  readonly secondFactor: SecondFactorPrompt | undefined
  readonly fields: BodyFields
  /** Time of the page's request, in milliseconds since the epoch. */
  readonly now: number
  /** Mark of the changes that the page has, for its event stream. */
  readonly mark: string
}

export interface PageContent {
  readonly title: string
  /** Heading of the dashboard's page. @default the title */
  readonly heading?: Child
  /** Path of the page's entry in the navigation of the dashboard. */
  readonly current?: string
  readonly parent?: { readonly path: string; readonly label: string }
  readonly state?: Child
  readonly actions?: Child
  readonly lead?: Child
  readonly body: Html
  /** HTTP status of the dashboard's page. @default 200 */
  readonly status?: number
  /**
   * `list` and `thread`: the body has its own heading and is the list of conversations next to the
   * open one; a thread covers a narrow screen. @default a heading above the body
   */
  readonly shape?: 'list' | 'thread'
  /** Whether the dashboard's page updates itself after events. @default false */
  readonly isLive?: true
  readonly mark?: string
  /** Whether the page has no scripts. @default false */
  readonly isStatic?: true
}

/**
 * The result of a dashboard page: a whole page, a part of one for its script, or a redirect.
 * Undefined means that the handler writes the response itself, for example a download.
 */
export type PageResult =
  | { readonly page: PageContent }
  | { readonly partial: Html }
  | {
      readonly seeOther: string
      readonly flash?: Flash
      /** The token of a new session that replaces the one of the request. */
      readonly session?: string
      /** Whether the page of the redirect shows an error: the form had no effect. */
      readonly isError?: boolean
    }
  | undefined

/** Handler of a dashboard page. An error that it throws is shown as an error page. */
export interface PageHandler {
  (request: PageRequest): Promise<PageResult>
  /** Bytes of the page's form. @default limits.body */
  readonly maxBytes?: number
  /** Whether the dashboard's form has uploaded files in `fields`, as bytes. @default false */
  readonly acceptsFiles?: boolean
  /** Whether the form has its effect once however often it runs, by idempotency keys. */
  readonly isIdempotent?: boolean
}

/** Handlers of dashboard pages by path; `:name` in a path matches one segment. */
export type Pages = Readonly<
  Record<string, { readonly GET?: PageHandler; readonly POST?: PageHandler }>
>

export function showPage(page: PageContent): PageResult {
  return { page }
}

export function showPartial(partial: Html): PageResult {
  return { partial }
}

/**
 * Redirects with 303 (RFC 9110 section 15.4.4) to a dashboard page that shows the text.
 * @param undo path of a form that takes it back
 */
export function redirectWithSuccess(to: string, text: string, undo?: string): PageResult {
  return { seeOther: to, flash: { kind: 'done', text, ...(undo && { undo }) } }
}

export function redirectWithError(to: string, text: string): PageResult {
  return { seeOther: to, flash: { kind: 'failed', text } }
}

/** A field of the dashboard page's form; empty if missing. */
export function getField({ fields }: Pick<PageRequest, 'fields'>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/**
 * A parameter of the page's query, its first value; empty if missing. As in the parameters of a
 * path, NUL is replaced, because PostgreSQL does not accept it.
 */
export function getQueryField({ http }: Pick<PageRequest, 'http'>, name: string): string {
  return (new URLSearchParams(http.query).get(name) ?? '').replaceAll('\0', '\uFFFD')
}

export function withFileUpload(maxBytes: number, handler: PageHandler): PageHandler {
  const withFiles: PageHandler = async request => await handler(request)
  return Object.assign(withFiles, handler, { maxBytes, acceptsFiles: true })
}

/** A page handler for a form that has its effect once however often its work runs. */
export function asIdempotent(handler: PageHandler): PageHandler {
  return Object.assign(handler, { isIdempotent: true })
}
