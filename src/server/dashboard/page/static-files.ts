import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { type ContentCoding, chooseCoding } from './compress-page.js'

const pageFileNames = [
  'design.css',
  'morph.js',
  'dashboard.js',
  'send-forms.js',
  'live-page.js',
  'live-stream.js',
  'passkey.js',
  'icon.svg',
] as const

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const versionLength = 12
const assetFolder = '/assets'

export type StaticFileName = (typeof pageFileNames)[number]

interface StaticFile {
  /**
   * Path of the static file; contains a hash of the content, so that browsers may cache it forever.
   */
  readonly path: string
  readonly type: string
  readonly version: string
  readonly bytes: Buffer
  readonly compressed: Readonly<Record<ContentCoding, Buffer | undefined>>
}

/** Static files of the dashboard, read at the first request. */
export class StaticFiles {
  #loaded: Promise<ReadonlyMap<string, StaticFile>> | undefined

  async getPaths(): Promise<Readonly<Record<StaticFileName, string>>> {
    const pairs = [...(await this.#load())].map(([name, { path }]) => [name, path])
    return Object.fromEntries(pairs) as Record<StaticFileName, string>
  }

  /**
   * Sends a static file of the dashboard; false if it does not exist. The page of another version
   * of the program, which another node sent or which has been open since, gets the file of this
   * version.
   */
  async send(request: HttpRequest, response: HttpResponse, path: string): Promise<boolean> {
    const asset = (await this.#load()).get(readName(path))
    if (asset === undefined) return false
    const { type, version, bytes, compressed } = asset
    const accepted = chooseCoding(request)
    const body = accepted && compressed[accepted]
    const etag = `"${version}${body === undefined ? '' : `-${accepted}`}"`
    const fields = {
      'Content-Type': type,
      'Cache-Control': path === asset.path ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ETag: etag,
      ...(body === undefined ? {} : { 'Content-Encoding': String(accepted) }),
    }
    if (request.headers['if-none-match'] === etag) response.send(304, fields)
    else response.send(200, fields, body ?? bytes)
    return true
  }

  #load(): Promise<ReadonlyMap<string, StaticFile>> {
    this.#loaded ??= loadStaticFiles().catch(error => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }
}

function readName(path: string): string {
  const [, folder, version = '', name = ''] = path.split('/')
  return `/${folder}` === assetFolder && version.length === versionLength ? name : ''
}

async function loadStaticFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const pairs = pageFileNames.map(async name => {
    const bytes = await readStaticFile(name)
    const version = hashText(bytes.toString('latin1')).slice(0, versionLength)
    const path = `${assetFolder}/${version}/${name}`
    const type = contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const [br, gzip] = await Promise.all([readBuilt(`${name}.br`), readBuilt(`${name}.gz`)])
    return [name, { path, type, version, bytes, compressed: { br, gzip } }] as const
  })
  return new Map(await Promise.all(pairs))
}

/**
 * Folder of the dashboard's static files: `dist/public` in the build, whose code is in
 * `dist/chunks`.
 */
const publicFolder = new URL('../public/', import.meta.url)

/** Reads a file that only the build has. */
async function readBuilt(name: string): Promise<Buffer | undefined> {
  return await readFile(new URL(name, publicFolder)).catch(() => undefined)
}

/** Reads a file of the dashboard's pages, from the folder of the build or from its package. */
export async function readStaticFile(name: string): Promise<Buffer> {
  return await readFile(new URL(name, publicFolder)).catch(async () => await readPackageFile(name))
}

/**
 * Reads a static file from its package. Only when run from source: the build copies these files.
 */
async function readPackageFile(name: string): Promise<Buffer> {
  const list = await readFile(new URL('packages.json', publicFolder), 'utf8')
  return await readFile(createRequire(import.meta.url).resolve(JSON.parse(list)[name]))
}
