import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hashText } from '../../../util/crypto/secrets.js'

/**
 * The files that pages load, by name, and where they are: in the folder `assets` of this package, or in others, of
 * which the build copies just these.
 */
export const staticFileSources = {
  'pico.css': '@picocss/pico/css/pico.classless.min.css',
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'dashboard.css': '#assets/dashboard.css',
  'dashboard.js': '#assets/dashboard.js',
  'icon.svg': '#assets/icon.svg',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'charts.js': '#assets/charts.js',
} as const

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A file that pages load. */
export type StaticFileName = keyof typeof staticFileSources

interface StaticFile {
  /** Changes with the content, so that it may be cached for ever. */
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
}

/** The assets, read when first needed. */
export class StaticFiles {
  #loaded: Promise<ReadonlyMap<string, StaticFile>> | undefined

  /** The paths of all of them. */
  async getPaths(): Promise<Readonly<Record<StaticFileName, string>>> {
    const pairs = [...(await this.#load())].map(([name, { path }]) => [name, path])
    return Object.fromEntries(pairs) as Record<StaticFileName, string>
  }

  /** Sends the asset at a path; resolves to whether there is one. */
  async send(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const asset = [...(await this.#load()).values()].find(each => each.path === path)
    if (asset === undefined) return false
    const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const bytes = zipped ? asset.zipped : asset.bytes
    response.writeHead(200, {
      'Content-Type': asset.type,
      'Content-Length': bytes.length,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
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

async function loadStaticFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const pairs = Object.entries(staticFileSources).map(async ([name, source]) => {
    const bytes = await readStaticFile(name, source)
    const path = `/assets/${hashText(bytes.toString('latin1')).slice(0, 12)}/${name}`
    const type = contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const zipped = await promisify(gzip)(bytes)
    return [name, { path, type, bytes, zipped }] as const
  })
  return new Map(await Promise.all(pairs))
}

/** In `dist`, the build copies the files of packages here; from source, they are read from the packages. */
const copiesFolder = new URL('../public/', import.meta.url)

async function readStaticFile(name: string, source: string): Promise<Buffer> {
  const { resolve } = createRequire(import.meta.url)
  if (source.startsWith('#')) return await readFile(resolve(source))
  return await readFile(new URL(name, copiesFolder)).catch(
    async () => await readFile(resolve(source)),
  )
}
