import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { digest } from '../../../util/crypto/secrets.js'

/**
 * The files that pages load, by name, and where they are: in the folder `assets` of this package, or in others, of
 * which the build copies just these.
 */
export const assetSources = {
  'pico.css': '@picocss/pico/css/pico.classless.min.css',
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'dashboard.css': '#assets/dashboard.css',
  'dashboard.js': '#assets/dashboard.js',
  'icon.svg': '#assets/icon.svg',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'charts.js': '#assets/charts.js',
} as const

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A file that pages load. */
export type AssetName = keyof typeof assetSources

interface Asset {
  /** Changes with the content, so that it may be cached for ever. */
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
}

/** The assets, read when first needed. */
export class Assets {
  #loaded: Promise<ReadonlyMap<string, Asset>> | undefined

  /** The paths of all of them. */
  async paths(): Promise<Readonly<Record<AssetName, string>>> {
    const pairs = [...(await this.#load())].map(([name, { path }]) => [name, path])
    return Object.fromEntries(pairs) as Record<AssetName, string>
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

  #load(): Promise<ReadonlyMap<string, Asset>> {
    this.#loaded ??= load().catch(error => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }
}

async function load(): Promise<ReadonlyMap<string, Asset>> {
  const pairs = Object.entries(assetSources).map(async ([name, source]) => {
    const bytes = await read(name, source)
    const path = `/assets/${digest(bytes.toString('latin1')).slice(0, 12)}/${name}`
    const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const zipped = await promisify(gzip)(bytes)
    return [name, { path, type, bytes, zipped }] as const
  })
  return new Map(await Promise.all(pairs))
}

/** In `dist`, the build copies the files of packages here; from source, they are read from the packages. */
const copies = new URL('../public/', import.meta.url)

async function read(name: string, source: string): Promise<Buffer> {
  const { resolve } = createRequire(import.meta.url)
  if (source.startsWith('#')) return await readFile(resolve(source))
  return await readFile(new URL(name, copies)).catch(async () => await readFile(resolve(source)))
}
