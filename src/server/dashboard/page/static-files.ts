import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { hashText } from '../../../util/crypto/secrets.js'

/**
 * The files that pages load, and their sources: `#assets/…` is the folder `public`, the others are
 * in development dependencies. The build copies them to `public` (tools/build/assets.js).
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

export type StaticFileName = keyof typeof staticFileSources

interface StaticFile {
  /** Contains a hash of the content, so that browsers may cache the file for ever. */
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
}

/** Serves the files that pages load. They are read at the first request. */
export class StaticFiles {
  #loaded: Promise<ReadonlyMap<string, StaticFile>> | undefined

  async getPaths(): Promise<Readonly<Record<StaticFileName, string>>> {
    const pairs = [...(await this.#load())].map(([name, { path }]) => [name, path])
    return Object.fromEntries(pairs) as Record<StaticFileName, string>
  }

  /** Sends the file at a path. Returns false if there is no such file. */
  async send(request: HttpRequest, response: HttpResponse, path: string): Promise<boolean> {
    const asset = [...(await this.#load()).values()].find(each => each.path === path)
    if (asset === undefined) return false
    const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const bytes = zipped ? asset.zipped : asset.bytes
    const fields = {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
    }
    response.send(200, fields, bytes)
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

const copiesFolder = new URL('../public/', import.meta.url)

async function readStaticFile(name: string, source: string): Promise<Buffer> {
  const { resolve } = createRequire(import.meta.url)
  if (source.startsWith('#')) return await readFile(resolve(source))
  return await readFile(new URL(name, copiesFolder)).catch(
    async () => await readFile(resolve(source)),
  )
}
