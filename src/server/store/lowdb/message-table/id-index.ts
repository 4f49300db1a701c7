import type { Slots } from './slots.js'
import { hashUuid, type UuidWords } from './uuid-words.js'

const partitionBits = 8
const initialCapacity = 16

interface Partition {
  slots: Float64Array
  hashes: Uint32Array
  size: number
}

/**
 * Finds the slot of an id. It has 256 partitions, each of which grows alone, so that no turn of the
 * event loop moves all entries.
 */
export class IdIndex {
  readonly #partitions = new Array<Partition | undefined>(1 << partitionBits).fill(undefined)
  readonly #slots: Slots

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** The message table's slot for an id; -1 if it is missing. */
  find(id: UuidWords): number {
    const hash = hashUuid(id)
    const partition = this.#partitions[getPartitionNumber(hash)]
    if (partition === undefined) return -1
    const place = this.#findPlace(partition, hash, id)
    return partition.hashes[place] === 0 ? -1 : (partition.slots[place] as number)
  }

  add(id: UuidWords, slot: number): void {
    const hash = hashUuid(id)
    const partition = this.#partitions[getPartitionNumber(hash)] ?? createPartition(initialCapacity)
    this.#partitions[getPartitionNumber(hash)] = partition
    if (4 * (partition.size + 1) > 3 * partition.slots.length) grow(partition)
    put(partition, hash, slot)
    partition.size += 1
  }

  remove(id: UuidWords): void {
    const hash = hashUuid(id)
    const partition = this.#partitions[getPartitionNumber(hash)]
    if (partition === undefined) return
    const place = this.#findPlace(partition, hash, id)
    if (partition.hashes[place] === 0) return
    partition.size -= 1
    closeGap(partition, place)
  }

  #findPlace({ slots, hashes }: Partition, hash: number, id: UuidWords): number {
    const mask = hashes.length - 1
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const found = hashes[place]
      if (found === 0) return place
      if (found === hash && this.#slots.hasId(slots[place] as number, id)) return place
    }
  }
}

function getPartitionNumber(hash: number): number {
  return hash >>> (32 - partitionBits)
}

function createPartition(capacity: number): Partition {
  return { slots: new Float64Array(capacity), hashes: new Uint32Array(capacity), size: 0 }
}

function put({ slots, hashes }: Partition, hash: number, slot: number): void {
  const mask = hashes.length - 1
  let place = hash & mask
  while (hashes[place] !== 0) place = (place + 1) & mask
  slots[place] = slot
  hashes[place] = hash
}

function grow(partition: Partition): void {
  const { slots, hashes } = partition
  Object.assign(partition, { ...createPartition(2 * slots.length), size: partition.size })
  for (let place = 0; place < hashes.length; place += 1) {
    const hash = hashes[place] as number
    if (hash !== 0) put(partition, hash, slots[place] as number)
  }
}

/** Moves entries back, so that no search for them ends at the gap. */
function closeGap({ slots, hashes }: Partition, removed: number): void {
  const mask = slots.length - 1
  let gap = removed
  for (let place = (gap + 1) & mask; hashes[place] !== 0; place = (place + 1) & mask) {
    const distance = (place - (hashes[place] as number)) & mask
    if (distance < ((place - gap) & mask)) continue
    slots[gap] = slots[place] as number
    hashes[gap] = hashes[place] as number
    gap = place
  }
  hashes[gap] = 0
}
