import { setImmediate } from 'node:timers/promises'
import type { Contact } from '../../../domain/contact/contact.js'
import type { ContactQuery, ContactStore, DecideContact } from '../contact-store.js'
import type { Transactions } from './engine/engine.js'

const maxContactsPerTransaction = 250

export class LowdbContacts implements ContactStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async find(account: string, numbers: readonly string[]): Promise<Contact[]> {
    return await this.#engine.read(() => this.#find(account, numbers))
  }

  async getPage(account: string, query: ContactQuery): Promise<Contact[]> {
    const { contacts } = this.#engine.indexes
    return await this.#engine.read(() => this.#find(account, contacts.getPage(account, query)))
  }

  async count(account: string): Promise<number> {
    return await this.#engine.read(() => this.#engine.indexes.contacts.count(account))
  }

  async countMembers(account: string): Promise<ReadonlyMap<string, number>> {
    const { contacts } = this.#engine.indexes
    return await this.#engine.read(() => {
      const groups = [...contacts.listGroups(account)]
      return new Map(groups.map(group => [group, contacts.count(account, group)]))
    })
  }

  async changeAll(
    account: string,
    numbers: readonly string[],
    decide: DecideContact,
  ): Promise<void> {
    for (let start = 0; start < numbers.length; start += maxContactsPerTransaction) {
      if (start > 0) await setImmediate()
      await this.#engine.transact(transaction => {
        for (const number of numbers.slice(start, start + maxContactsPerTransaction)) {
          const key = buildContactRecordKey(account, number)
          const current = transaction.get('contact', key)
          const decided = decide(number, current)
          if (decided !== undefined && decided !== current) transaction.put('contact', key, decided)
        }
      })
    }
  }

  #find(account: string, numbers: readonly string[]): Contact[] {
    const { contact } = this.#engine.data
    return numbers
      .map(number => contact.get(buildContactRecordKey(account, number)))
      .filter(found => found !== undefined)
  }
}

function buildContactRecordKey(account: string, number: string): string {
  return `${account} ${number}`
}
