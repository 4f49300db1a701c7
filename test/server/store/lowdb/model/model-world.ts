import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import type { Model } from '../../model/model.js'
import { ModelComparison } from '../../model/model-comparison.js'
import type { ModelSubscription } from '../../model/model-state.js'
import { copyFolder, withoutPreallocation } from '../lowdb-rig.js'

/** Warnings about a full disk. */
const expectedWarning = /cannot be (?:written|compacted)|can be written again/

/** Changes a line at an offset of the file as an interrupted write does. */
export type Tear = (line: Buffer, at: number) => Buffer

/** A store on disk and its model. */
export class StoreWorld {
  readonly warnings: string[] = []
  readonly #model: Model
  readonly #open: Store[] = []
  readonly #comparison: ModelComparison
  #folder = ''
  #store: Store | undefined

  constructor(model: Model) {
    this.#model = model
    this.#comparison = new ModelComparison(model)
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('The store is not open.')
    return this.#store
  }

  async open(compactAbove: number): Promise<void> {
    this.#folder ||= await temporaryFolder()
    this.#store = await openLowdbStore(this.#folder, {
      now: () => this.#model.now,
      warn: sentence => {
        if (!expectedWarning.test(sentence)) this.warnings.push(sentence)
      },
      compactAbove,
      runCompaction: compactJournals,
    })
    this.#open.push(this.#store)
  }

  /** Continues with the files as they are, as after a crash. */
  async crash(compactAbove: number): Promise<void> {
    this.#folder = await copyFolder(this.#folder)
    await this.open(compactAbove)
  }

  /**
   * Continues with a torn last line, which begins at `from`, as after a power cut. Resolves to the
   * part of the line that remains.
   */
  async tear(compactAbove: number, from: number, tear: Tear): Promise<'all' | 'some' | 'none'> {
    this.#folder = await copyFolder(this.#folder)
    const path = await this.#journal()
    const before = await readFile(path)
    const line = Buffer.from(withoutPreallocation(before).subarray(from))
    const torn = tear(Buffer.from(line), from)
    // The space of the line was preallocated.
    const rest = Buffer.alloc(before.length - from - torn.length, '\n')
    await writeFile(path, Buffer.concat([before.subarray(0, from), torn, rest]))
    await this.open(compactAbove)
    if (torn.equals(line)) return 'all'
    return torn.every(byte => byte === 10) ? 'none' : 'some'
  }

  async reopen(compactAbove: number): Promise<void> {
    await this.store.close()
    await this.open(compactAbove)
  }

  async close(): Promise<void> {
    for (const store of this.#open) await store.close()
  }

  /** Name of the current journal, which changes when a compaction begins. */
  async journalName(): Promise<string> {
    return basename(await this.#journal())
  }

  async journalSize(): Promise<number> {
    return withoutPreallocation(await readFile(await this.#journal())).length
  }

  /** Delivers the next event of a subscription. */
  async deliver(subscription: ModelSubscription): Promise<void> {
    await this.#comparison.deliver(this.store, subscription)
  }

  /** Compares all reads of the store with the model. */
  async compare(): Promise<void> {
    await this.#comparison.compare(this.store)
  }

  async #journal(): Promise<string> {
    const names = (await readdir(this.#folder)).sort()
    return join(this.#folder, names.findLast(name => name.startsWith('journal')) ?? 'none')
  }
}
