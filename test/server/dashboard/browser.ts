import { randomUUID } from 'node:crypto'
import { allResources } from '../../../src/resources/resources.js'
import { sendQuickly } from '../../net/send-quickly.js'

export type FormInput = Readonly<Record<string, string>> | FormData

interface Login {
  readonly email: string
  readonly password: string
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** @default true */
  readonly follow?: boolean
}

export interface PageReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly path: string
  /** The message at the top of the page. */
  readonly notice: { readonly kind: string; readonly text: string } | undefined
  readonly errors: Readonly<Record<string, string>>
}

/** Forms that change a version of something. */
const resourcePaths = allResources.map(({ page }) => page.path).join('|')
const editPaths = new RegExp(
  `/(?:edit|limits)$|^/settings$|^/contacts/%2B\\d+$|^(?:${resourcePaths})/[\\w-]+$`,
)

const pageHeaders = { Accept: 'text/html' }

/** A browser without scripts. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string
  #login: Login | undefined
  /** The CSRF token of the page before, and the cookies with which it was valid. */
  #csrf = { token: '', cookies: '' }

  /** @param login with which it signs in before its first request */
  constructor(url: string, login?: Login) {
    this.#url = url
    this.#login = login
  }

  async get(path: string, options: RequestOptions = {}): Promise<PageReply> {
    return await this.#send(path, undefined, options)
  }

  /** Posts a form; one without a key gets that of a new form. */
  async post(path: string, form: FormInput, options: RequestOptions = {}): Promise<PageReply> {
    if (!(form instanceof FormData))
      return await this.#send(path, { key: randomUUID(), ...form }, options)
    if (!form.has('key')) form.set('key', randomUUID())
    return await this.#send(path, form, options)
  }

  /** Posts the fields with the CSRF token of a page, and the version of an edit form. */
  async submit(path: string, form: FormInput = {}): Promise<PageReply> {
    const csrf = await this.#findCsrf()
    if (!(form instanceof FormData))
      return await this.post(path, { csrf, ...(await this.#findVersion(path)), ...form })
    form.set('csrf', csrf)
    return await this.post(path, form)
  }

  async #findCsrf(): Promise<string> {
    const { token, cookies } = this.#csrf
    if (token !== '' && cookies === this.#formatCookies()) return token
    return getHiddenField((await this.get('/')).text, 'csrf')
  }

  #formatCookies(): string {
    return [...this.cookies].map(pair => pair.join('=')).join('; ')
  }

  async #findVersion(path: string): Promise<Readonly<Record<string, string>>> {
    if (!editPaths.test(path)) return {}
    const version = getHiddenField((await this.get(path)).text, 'version')
    return version === '' ? {} : { version }
  }

  async signIn(email: string, password: string, options?: RequestOptions): Promise<PageReply> {
    return await this.post('/login', { email, password }, options)
  }

  async #send(
    path: string,
    form: FormInput | undefined,
    options: RequestOptions,
  ): Promise<PageReply> {
    await this.#signInFirst()
    const method = form === undefined ? 'GET' : 'POST'
    const { status, headers, text } = await sendQuickly(new URL(path, this.#url), method, {
      headers: { ...pageHeaders, Cookie: this.#formatCookies(), ...options.headers },
      ...(form && { body: form instanceof FormData ? form : new URLSearchParams(form) }),
    })
    for (const cookie of headers.getSetCookie()) this.#store(cookie)
    const token = getHiddenField(text, 'csrf')
    if (token !== '') this.#csrf = { token, cookies: this.#formatCookies() }
    const to = headers.get('location')
    if (to !== null && options.follow !== false) return await this.get(to)
    return { status, headers, text, path, notice: findNotice(text), errors: findErrors(text) }
  }

  async #signInFirst(): Promise<void> {
    if (this.#login === undefined) return
    const { email, password } = this.#login
    this.#login = undefined
    await this.signIn(email, password, { follow: false })
  }

  #store(cookie: string): void {
    const [pair = ''] = cookie.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

const noticeKinds: Readonly<Record<string, string>> = { good: 'done', bad: 'failed' }

function findNotice(html: string): PageReply['notice'] {
  const [, tone = '', text] =
    /<div class="notice (good|bad)"[^>]*>.*?<div>(.*?)<\/div>/s.exec(html) ?? []
  return text === undefined ? undefined : { kind: noticeKinds[tone] ?? tone, text }
}

function findErrors(html: string): Record<string, string> {
  const found = html.matchAll(
    /<span class="error" id="([\w-]+)-error"><svg.*?<\/svg>(.*?)<\/span>/gs,
  )
  return Object.fromEntries([...found].map(([, name, text]) => [name, text]))
}

export function getHiddenField(html: string, name: string): string {
  return new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
}

/** Empty if the page shows no such secret. */
export function getShownSecret(html: string, id: string): string {
  return new RegExp(`<pre id="${id}"[^>]*>\\s*([^<\\s]*)`).exec(html)?.[1] ?? ''
}

/** Rows of tables, without headers. */
/** The target of the link to the page before (`prev`) or behind (`next`); empty without one. */
export function findPageLink(html: string, rel: 'prev' | 'next'): string {
  const link = new RegExp(`<a class="btn" href="([^"]+)" rel="${rel}">`).exec(html)?.[1] ?? ''
  return link.replaceAll('&amp;', '&')
}

export function countRows(html: string): number {
  const bodies = html.match(/<tbody.*?<\/tbody>/gs) ?? []
  return (bodies.join('').match(/<tr/g) ?? []).length
}

/** The texts of the cells of the tables, by row. */
export function readRows(html: string): string[][] {
  const rows = html.match(/<tr[^>]*>(?:(?!<\/tr>).)*<td.*?<\/tr>/gs) ?? []
  return rows.map(row => {
    const cells = row.match(/<td.*?<\/td>/gs) ?? []
    return cells.map(cell => cell.replace(/<[^>]*>/g, ''))
  })
}

/** The words of the states that a page shows, in order. */
export function listStates(html: string): string[] {
  const pills = html.matchAll(/<span class="pill[^>]*>(?:<svg.*?<\/svg>)?([^<]*)/gs)
  return [...pills].map(([, word = '']) => word)
}
