import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two attempts. */
const pause = 50
/** Milliseconds after which a person gives up; lost work of a form is found after 15 seconds. */
const patience = 5 * 60_000

type Fields = Readonly<Record<string, string>>

interface ShownPage {
  readonly path: string
  readonly status: number
  readonly text: string
}

/** A form, and where its effect is listed by its name. */
export interface FilledForm {
  readonly path: string
  readonly fields: Fields
  /** Absent if the relay always knows whether the form had its effect. */
  readonly list?: { readonly path: string; readonly name: string }
}

/** A person with a browser whose every request reaches any node. */
export class Person {
  /** Requests without a complete reply. */
  unanswered = 0
  /** Pages that said that a form was still in progress. */
  waits = 0
  /** Pages that said that nobody knows whether a form had its effect. */
  unknown = 0
  readonly #origin: string
  readonly #login: Fields
  readonly #cookies = new Map<string, string>()

  /** @param port the port of the balancer */
  constructor(port: number, { email, password }: { email: string; password: string }) {
    this.#origin = `http://127.0.0.1:${port}`
    this.#login = { email, password }
  }

  /** Signs in. Throws if that fails. */
  async signIn(): Promise<void> {
    const { path, status } = await this.#submit(await this.#open('/login'), '/login', this.#login)
    if (path !== '/' || status !== 200) throw new Error(`The sign-in led to ${path}: ${status}.`)
  }

  /**
   * Fills a form and sends it until a page shows its result. Without a reply the browser sends the
   * same again; after an error the person sends the form with the input that was kept. If the relay
   * does not know whether the form had its effect, the person looks first. Throws after any other
   * error, and after five minutes.
   */
  async send({ path, fields, list }: FilledForm): Promise<void> {
    const end = performance.now() + patience
    for (let form = await this.#open(path); performance.now() < end; ) {
      const shown = await this.#submit(form, path, fields)
      if (shown.status === 200 && !shown.path.startsWith('/login')) return
      if (shown.status === 503) this.waits += 1
      else if (shown.status !== 409 || list === undefined) throw refusedError(path, shown)
      else {
        this.unknown += 1
        if (await this.#isListed(list)) return
      }
      form = await this.#open(findInputLink(shown) ?? path)
    }
    throw new Error(`The form of ${path} had no result after five minutes.`)
  }

  async #isListed({ path, name }: NonNullable<FilledForm['list']>): Promise<boolean> {
    for (let page: string | undefined = path; page !== undefined; ) {
      const { text } = await this.#open(page)
      if (text.includes(`>${name}<`)) return true
      page = findNextPage(text)
    }
    return false
  }

  /** Sends a form of a page; resolves to the page to which the redirect leads. */
  async #submit(page: ShownPage, path: string, fields: Fields): Promise<ShownPage> {
    const form = findForm(page.text, path)
    const hidden = { csrf: readField(form, 'csrf'), key: readField(form, 'key') }
    const body = new URLSearchParams({ ...hidden, ...fields })
    return await this.#open(await this.#untilReply(async () => await this.#post(path, body)))
  }

  /** Opens a page, also one about an error. */
  async #open(path: string): Promise<ShownPage> {
    return await this.#untilReply(async () => {
      const { status, headers, text } = await this.#request(path)
      const location = headers.get('location')
      if (location !== null) return await this.#open(location)
      // The browser loads a page again that could not be read.
      return headers.has('refresh') ? undefined : { path, status, text }
    })
  }

  /** Resolves to the location of the redirect; undefined without one. */
  async #post(path: string, body: URLSearchParams): Promise<string | undefined> {
    return (await this.#request(path, body)).headers.get('location') ?? undefined
  }

  async #untilReply<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const reply = await attempt().catch(() => {
        this.unanswered += 1
        return undefined
      })
      if (reply !== undefined) return reply
      await sleep(pause)
    }
  }

  async #request(path: string, body?: URLSearchParams) {
    const cookie = [...this.#cookies].map(pair => pair.join('=')).join('; ')
    const response = await fetch(new URL(path, this.#origin), {
      redirect: 'manual',
      // The balancer chooses a node for each connection.
      headers: { accept: 'text/html', connection: 'close', cookie },
      ...(body && { method: 'POST', body }),
    })
    const text = await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return { status: response.status, headers: response.headers, text }
  }
}

/** The markup of the first form that is sent to a path. */
function findForm(page: string, path: string): string {
  const found = new RegExp(String.raw`<form[^>]* action="${path}"[\s\S]*?</form>`).exec(page)?.[0]
  if (found === undefined) throw new Error(`The page has no form of ${path}.`)
  return found
}

function readField(form: string, name: string): string {
  return new RegExp(` name="${name}"[^>]* value="([^"]*)"`).exec(form)?.[1] ?? ''
}

function refusedError(form: string, { path, status, text }: ShownPage): Error {
  const why = /aria-label="Error"[\s\S]*?<p>([^<]*)</.exec(text)?.[1] ?? path
  return new Error(`The form of ${form} was answered ${status}: ${why}`)
}

/** Where the page about an error leads to the input. */
function findInputLink({ text }: ShownPage): string | undefined {
  return /href="([^"]*)"[^>]*>Back to your input/.exec(text)?.[1]
}

/** Where a page of a list leads to the next one. */
function findNextPage(text: string): string | undefined {
  return / href="([^"]*)" rel="next"/.exec(text)?.[1]
}
