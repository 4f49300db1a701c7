import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { createRelay } from '../../quick-relay.js'

export const password = 'correct horse battery'

/** A running relay with the account ann@example.com, and the defects it reported. */
export async function startRelay(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-dashboard-'))
  const defects: unknown[] = []
  const reportDefect = (defect: unknown) => defects.push(defect)
  const relay = await createRelay({ dataDir, port: 0, ...settings }, { reportDefect, ...overrides })
  await relay.start()
  onTestFinished(async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  })
  const ann = await relay.administration.createAccount({ email: 'ann@example.com', password })
  return { relay, ann, defects, url: relay.url }
}

/** The fields of a form. */
export type FormInput = Readonly<Record<string, string>> | FormData

/** What a {@link Browser} sends beside the path. */
export interface RequestOptions {
  /** Fields; those of a form with files as FormData. */
  readonly form?: FormInput
  readonly headers?: Readonly<Record<string, string>>
  /** Whether redirections are followed. @default true */
  readonly follow?: boolean
  readonly method?: string
}

/** A page as it came. */
export interface PageReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The path it is at, after redirections. */
  readonly path: string
}

/** A browser without scripts: it keeps cookies, follows redirections and sends forms. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async get(path: string, sent: RequestOptions = {}): Promise<PageReply> {
    return await this.#send(path, sent)
  }

  /** Posts fields as they are. */
  async post(path: string, form: FormInput, sent: RequestOptions = {}): Promise<PageReply> {
    return await this.#send(path, { ...sent, form })
  }

  /** Posts fields with the token for forms, as found on a page. */
  async submit(path: string, form: FormInput = {}, from = '/'): Promise<PageReply> {
    const csrf = getHiddenField((await this.get(from)).text, 'csrf')
    if (!(form instanceof FormData)) return await this.post(path, { csrf, ...form })
    form.set('csrf', csrf)
    return await this.post(path, form)
  }

  async signIn(email = 'ann@example.com', secret = password): Promise<PageReply> {
    return await this.post('/login', { email, password: secret })
  }

  async #send(path: string, sent: RequestOptions): Promise<PageReply> {
    const { form, follow = true } = sent
    const response = await fetch(new URL(path, this.#url), {
      method: sent.method ?? (form === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Cookie: [...this.cookies].map(pair => pair.join('=')).join('; '),
        ...sent.headers,
      },
      ...(form === undefined
        ? {}
        : { body: form instanceof FormData ? form : new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    const text = await response.text()
    const to = response.headers.get('location')
    if (to !== null && follow) return await this.#send(to, {})
    return { status: response.status, headers: response.headers, text, path }
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The value of a hidden field on a page. */
export function getHiddenField(html: string, name: string): string {
  return new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
}
