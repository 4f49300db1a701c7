import type { ServerResponse } from 'node:http'
import type { Account } from '../../../domain/account/account.js'
import type { ArrivingRequest } from '../../../net/server/routed-request.js'
import type { BodyFields } from '../../http/request-body.js'
import type { Caller } from '../../services/accounts/token-service.js'
import type { Html } from '../components/html.js'
import type { Flash } from './flash.js'
import type { StaticFileName } from './static-files.js'

/** A request of a person who is signed in; of one that changes something it is sure that a page of ours sent it. */
export interface PageRequest {
  readonly request: ArrivingRequest
  readonly response: ServerResponse
  readonly caller: Caller
  /** Whose pages these are. */
  readonly account: Account
  /** For the forms of the page. */
  readonly csrf: string
  /** The fields of the form that was sent; none for GET. */
  readonly fields: BodyFields
  /** Whether htmx asks for a part of the page. */
  readonly isPartial: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A whole page. */
export interface PageContent {
  readonly title: string
  /** The path of the entry of the navigation that this page belongs to. */
  readonly current?: string
  readonly body: Html
  /** @default 200 */
  readonly status?: number
  /** Scripts and styles that this page needs beside those of every page, in order. */
  readonly assets?: readonly StaticFileName[]
}

/**
 * What a page answers: a page, a part of one for htmx, that the part is as it was, a redirection, or undefined where it
 * took the response over.
 */
export type PageResult =
  | { readonly page: PageContent }
  | { readonly part: Html }
  | { readonly unchanged: true }
  | { readonly seeOther: string; readonly flash?: Flash }
  | undefined

/** Answers a visit. Errors it throws are shown as a page. */
export interface PageHandler {
  (visit: PageRequest): Promise<PageResult>
  /** Bytes of a form at most. @default limits.body */
  readonly maxBytes?: number
  /** Whether files of its form are fields, as their bytes. @default false */
  readonly acceptsFiles?: boolean
}

/** The pages at paths, `:name` standing for one segment: what is answered to GET, and to POST of their forms. */
export type Pages = Readonly<
  Record<string, { readonly GET?: PageHandler; readonly POST?: PageHandler }>
>

/** A whole page. */
export function showPage(answer: PageContent): PageResult {
  return { page: answer }
}

/** A part of a page, for htmx. */
export function showPartial(html: Html): PageResult {
  return { part: html }
}

/** Sends the browser on after a form was done (303, RFC 9110 section 15.4.4), to a page that says so. */
export function redirectWithSuccess(to: string, text: string): PageResult {
  return { seeOther: to, flash: { kind: 'done', text } }
}

/** Sends the browser on, to a page that says what went wrong. */
export function redirectWithError(to: string, text: string): PageResult {
  return { seeOther: to, flash: { kind: 'failed', text } }
}

/** A field of the form that was sent; empty when it is not there. */
export function getField({ fields }: Pick<PageRequest, 'fields'>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A parameter of the query; empty when it is not there, the first when it is there more than once. */
export function getQueryField({ request }: Pick<PageRequest, 'request'>, name: string): string {
  const value = request.query[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** A handler whose form may have so many bytes. */
export function withMaxBytes(most: number, handler: PageHandler): PageHandler {
  return Object.assign(async (visit: PageRequest) => await handler(visit), { maxBytes: most })
}

/** A handler whose form may have files, and so many bytes together. */
export function withFileUpload(most: number, handler: PageHandler): PageHandler {
  return Object.assign(withMaxBytes(most, handler), { acceptsFiles: true })
}
