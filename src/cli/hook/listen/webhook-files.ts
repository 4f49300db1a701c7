import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { getFailureReason } from '../../../util/files/file-error.js'
import { makeDirectory } from '../../../util/files/make-directory.js'

export interface WebhookCopy {
  readonly method: string
  readonly target: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/**
 * Flag --save: a directory in which each webhook becomes a file that only this user may read, named
 * by time and `webhook-id`. The file is the HTTP request.
 */
export class WebhookFiles {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  static async open(directory: string): Promise<WebhookFiles> {
    try {
      await makeDirectory(directory)
    } catch (error) {
      throw cannotSaveError(directory, error)
    }
    return new WebhookFiles(directory)
  }

  async save({ method, target, fields, body }: WebhookCopy, now: number): Promise<void> {
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
    const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    const path = join(this.#directory, getFileName(fields, now))
    try {
      const file = await open(path, 'w', 0o600)
      try {
        await file.writeFile(Buffer.concat([head, body]))
      } finally {
        await file.close()
      }
    } catch (error) {
      throw cannotSaveError(path, error)
    }
  }
}

/** Such as `20261123T114841123Z-evt_7_019ab.http`; sorts by time, on every file system. */
function getFileName(fields: WebhookCopy['fields'], now: number): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '')
  const [, id = 'unknown'] = fields.find(([name]) => name.toLowerCase() === 'webhook-id') ?? []
  return `${time}-${id.replace(/[^\w-]/g, '_').slice(0, 100)}.http`
}

function cannotSaveError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `The webhook cannot be saved in ${path} (${reason}).`, {
    hint: 'Choose another directory with --save, or correct its permissions.',
    cause,
  })
}
