import { describe, expect, test } from 'vitest'
import { createCommand } from '../../src/cli/resource/resource-commands.js'
import {
  type InputField,
  listInputs,
  type Resource,
  type TextField,
} from '../../src/resources/resource.js'
import { run } from '../commands/harness.js'
import { readRows } from '../server/dashboard/browser.js'
import { openClient, startWithBrowsers } from '../server/dashboard/dashboard-relay.js'

type Draft = Record<string, unknown>
type Reply = Draft & { readonly id: string }

/** The client's part of any resource. */
interface Client {
  list(): Promise<Reply[]>
  create(draft: Draft): Promise<Reply>
  get(id: string): Promise<Reply>
  getTagged(id: string): Promise<{ readonly resource: Reply; readonly tag: string }>
  edit(id: string, changes: Draft, options?: { readonly ifMatch: string }): Promise<Reply>
  delete(id: string): Promise<void>
}

const isRequired = (field: { readonly kind: string }): field is TextField =>
  field.kind === 'text' && !('optional' in field) && !('default' in field)

/** Values of a request with what is required, different for each `nth`. */
function createDraft(resource: Resource, nth = 1): Draft {
  const required = listInputs(resource).filter(({ field }) => isRequired(field))
  return Object.fromEntries(required.map(({ name }) => [name, `Value ${nth}`]))
}

/** Values that the declaration refuses, with the field of each. */
function listWrong(resource: Resource): { readonly name: string; readonly value: unknown }[] {
  return listInputs(resource).flatMap(({ name, field }) =>
    listWrongValues(field).map(value => ({ name, value })),
  )
}

function listWrongValues(field: InputField): unknown[] {
  switch (field.kind) {
    case 'integer':
      return [field.min - 1, field.max + 1, 'many']
    case 'choice':
      return ['neither']
    case 'list':
      return [Array(field.count + 1).fill('a'), ['a'.repeat(field.max + 1)]]
    case 'text': {
      const wrong = ['a'.repeat(field.max + 1), 'a\0b', '\ud800', 7]
      const line = field.isLine === true ? ['a\nb', ' a'] : []
      return [...wrong, ...line, ...(field.min === 0 ? [] : [''])]
    }
  }
}

/** What every resource does over HTTP, on the pages and in the commands, by its declaration. */
export function describeResource(resource: Resource): void {
  const { name, plural, operations, page } = resource
  const can = (verb: Resource['operations'][number]) => operations.includes(verb)
  const start = async () => {
    const relay = await startWithBrowsers()
    const of = (keys: Parameters<typeof openClient>[1]) =>
      openClient(relay.url, keys)[plural as 'templates'] as unknown as Client
    return { ...relay, ann: of(relay.ann), bobClient: of(relay.bob), keys: relay.ann }
  }

  describe(`a ${name}`, () => {
    test('is created, listed in order, read, changed by its version and deleted', async () => {
      const { ann, client } = await start()
      const { audit } = client
      const all = [
        await ann.create(createDraft(resource)),
        await ann.create(createDraft(resource, 2)),
      ]
      const { id } = all[0] as Reply
      expect((await ann.list()).map(each => each.id)).toEqual(all.map(each => each.id))
      const { key: _, ...shown } = all[0] as Reply
      expect((await ann.list())[0]).toMatchObject(can('get') ? shown : { id })
      if (can('edit')) {
        const { resource: found, tag } = await ann.getTagged(id)
        expect(found).toEqual(all[0])
        const changes = createDraft(resource, 3)
        const changed = await ann.edit(id, changes, { ifMatch: tag })
        expect(changed).toEqual({ ...found, ...changes })
        const late = ann.edit(id, createDraft(resource, 4), { ifMatch: tag })
        await expect(late).rejects.toMatchObject({ code: 'precondition_failed' })
        expect(await ann.get(id)).toEqual(changed)
      }
      await ann.delete(id)
      await expect(ann.delete(id)).rejects.toMatchObject({ code: 'not_found' })
      expect((await ann.list()).map(each => each.id)).toEqual([all[1]?.id])
      const logged = (await audit.list({ action: name })).map(({ action }) => action)
      const changed = can('edit') ? [`${name}.change`] : []
      const made = [`${name}.create`, `${name}.create`]
      expect(logged).toEqual([`${name}.delete`, ...changed, ...made])
    })

    test('belongs to its account', async () => {
      const { ann, bobClient, browser, bobBrowser } = await start()
      const { id } = await ann.create(createDraft(resource))
      expect(await bobClient.list()).toEqual([])
      const missing = { code: 'not_found' }
      await expect(bobClient.delete(id)).rejects.toMatchObject(missing)
      if (can('get')) await expect(bobClient.get(id)).rejects.toMatchObject(missing)
      if (can('edit')) {
        const changed = bobClient.edit(id, createDraft(resource, 2))
        await expect(changed).rejects.toMatchObject(missing)
        expect((await bobBrowser.get(`${page.path}/${id}`)).status).toBe(404)
      }
      const refused = await bobBrowser.submit(`${page.path}/${id}/delete`)
      expect(refused.notice?.kind).not.toBe('done')
      expect((await ann.list()).map(each => each.id)).toEqual([id])
      expect((await browser.submit(`${page.path}/${id}/delete`)).notice?.kind).toBe('done')
      expect(await ann.list()).toEqual([])
    })

    test('is refused with any value that its declaration does not allow', async () => {
      const { ann, browser } = await start()
      for (const { name: field, value } of listWrong(resource)) {
        const created = ann.create({ ...createDraft(resource), [field]: value })
        const error = {
          code: 'invalid_parameter',
          message: expect.stringContaining(`\`${field}\``),
        }
        await expect(created, `${field}: ${JSON.stringify(value)}`).rejects.toMatchObject(error)
        // A form trims lines and sends Unicode.
        if (typeof value !== 'string' || value.trim() !== value || !value.isWellFormed()) continue
        const draft = createDraft(resource) as Record<string, string>
        if (value === '' && !(field in draft)) continue
        const form = await browser.submit(page.path, { ...draft, [field]: value })
        expect(Object.keys(form.errors), `${field}: ${JSON.stringify(value)}`).toEqual([field])
        expect(form.status).toBe(400)
      }
      expect(await ann.list()).toEqual([])
    })

    test.runIf(resource.fields.name && 'unique' in resource.fields.name)(
      'has a name that no other one of the account has, in any case',
      async () => {
        const { ann, bobClient } = await start()
        const { id } = await ann.create({ ...createDraft(resource), name: 'Zoë' })
        await bobClient.create({ ...createDraft(resource), name: 'Zoë' })
        const other = await ann.create({ ...createDraft(resource), name: 'Other' })
        const taken = { code: 'invalid_parameter', message: expect.stringContaining('taken') }
        const again = ann.create({ ...createDraft(resource), name: 'ZOE' })
        await expect(again).rejects.toMatchObject(taken)
        if (can('edit'))
          await expect(ann.edit(other.id, { name: 'zoe' })).rejects.toMatchObject(taken)
        await ann.delete(id)
        await ann.create({ ...createDraft(resource), name: 'zoe' })
      },
    )

    test('is created, listed and changed on its pages, where no value is markup', async () => {
      const { ann, browser, client } = await start()
      const text = '<b>&"bold"</b>'
      const form = { ...createDraft(resource), name: text } as Record<string, string>
      await browser.submit(page.path, form)
      const [created] = await ann.list()
      expect(created).toMatchObject({ name: text })
      const list = await browser.get(page.path)
      expect(readRows(list.text)).toHaveLength(1)
      expect(list.text).not.toContain(text)
      if (can('edit')) {
        const changed = createDraft(resource, 2) as Record<string, string>
        await browser.submit(`${page.path}/${created?.id}`, changed)
        const [entry] = await client.audit.list({ action: name })
        expect(entry?.action).toBe(`${name}.change`)
        expect(await ann.get(String(created?.id))).toMatchObject(changed)
      }
    })

    test('is created, listed and deleted by its commands', async () => {
      const { url, keys } = await start()
      const flags = ['--url', url, '--secret-key', keys.secret_key, '--api-key', keys.api_key]
      const call = async (verb: 'create' | 'list' | 'delete', ...args: string[]) =>
        await run(createCommand(resource, verb), [...args, ...flags, '--json'])
      const draft = createDraft(resource) as Record<string, string>
      const created = JSON.parse((await call('create', ...Object.values(draft))).stdout)
      expect(created).toMatchObject(draft)
      const listed = JSON.parse((await call('list')).stdout)
      expect(listed).toMatchObject([{ id: created.id }])
      expect((await call('delete', created.id)).code).toBe(0)
      expect((await call('delete', created.id)).code).toBe(5)
      expect(JSON.parse((await call('list')).stdout)).toEqual([])
      if (Object.keys(draft).length > 0) expect((await call('create')).code).toBe(2)
    })
  })
}
