import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two attempts. */
const pause = 50
/** Milliseconds after which a person gives up. */
const patience = 5 * 60_000

type Fields = Readonly<Record<string, string>>

interface ShownPage {
  readonly path: string
  readonly status: number
  readonly text: string
}

/** A person with a browser whose every request reaches any node. */
export class Person {
  /** Requests without a complete reply. */
  unanswered = 0
  /** Pages that said that the database is not available. */
  waits = 0
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
   * Fills a form and sends it until a page shows its result: without a reply, and after a page that
   * says that the database is not available, the browser sends the same again. Throws after any
   * other error, and after five minutes.
   */
  async send(path: string, fields: Fields): Promise<void> {
    const end = performance.now() + patience
    const form = await this.#open(path)
    while (performance.now() < end) {
      const shown = await this.#submit(form, path, fields)
      if (shown.status === 200 && !shown.path.startsWith('/login')) return
      if (shown.status !== 503) throw refusedError(path, shown)
      this.waits += 1
      await sleep(pause)
    }
    throw new Error(`The form of ${path} had no result after five minutes.`)
  }

  /** Sends a form of a page; resolves to its reply, or to the page to which that redirects. */
  async #submit(page: ShownPage, path: string, fields: Fields): Promise<ShownPage> {
    const form = findForm(page.text, path)
    const hidden = { csrf: readField(form, 'csrf'), key: readField(form, 'key') }
    const body = new URLSearchParams({ ...hidden, ...fields })
    const reply = await this.#untilReply(async () => await this.#request(path, body))
    const location = reply.headers.get('location')
    return location === null ? { path, ...reply } : await this.#open(location)
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
