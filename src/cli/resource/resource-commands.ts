import { string } from '@oclif/core/flags'
import type { Arg, FlagInput } from '@oclif/core/interfaces'
import type { CallOptions } from '../../client/call-options.js'
import {
  capitalize,
  type Flag,
  type InputField,
  type InputOf,
  isRequired,
  listInputs,
  type ReplyOf,
  type Resource,
  type Verb,
} from '../../resources/resource.js'
import { ApiCommand } from '../command/api-command.js'
import { defineRequiredArgument } from '../command/arguments.js'
import type { Column } from '../output/column.js'
import { outputFlags } from '../output/output-flags.js'
import { parseInteger } from '../terminal/parse-values.js'

/** What the commands of a resource have in place of what the declaration gives. */
export interface CommandSlots<R extends Resource> {
  readonly columns?: readonly Column<ReplyOf<R>>[]
  /** Throws `usage` for values that do not fit together. */
  readonly check?: (draft: InputOf<R>) => void
  /** What `create` prints. */
  readonly show?: (created: ReplyOf<R>) => string
  /** What a person should know about what was created. */
  readonly note?: (created: ReplyOf<R>) => string | undefined
}

type CommandClass = (new (
  ...parameters: ConstructorParameters<typeof ApiCommand>
) => ApiCommand) &
  Omit<typeof ApiCommand, 'prototype'>

type Values = Readonly<Record<string, unknown>>

interface Input {
  readonly name: string
  readonly field: InputField
  readonly flag: Flag
  /** Of the flag or the argument. */
  readonly key: string
}

/** A command of a resource: `list`, `create` or `delete`. */
export function createCommand<R extends Resource>(
  resource: R,
  verb: Exclude<Verb, 'get' | 'edit'>,
  slots: CommandSlots<R> = {},
): CommandClass {
  if (verb === 'list') return createListCommand(resource, slots)
  return verb === 'create' ? createCreateCommand(resource, slots) : createDeleteCommand(resource)
}

/** A command with the texts of the declaration. */
function createBase<R extends Resource>({ commands, plural }: R, verb: Verb) {
  const { summary = '', about, examples = [] } = commands[verb] ?? {}
  abstract class ResourceCommand extends ApiCommand {
    static override summary = summary
    static override description = about
    static override examples = examples.map(([description, command]) => ({
      description,
      command: `<%= config.bin %> ${command}`,
    }))

    /** The part of the client for a resource that has these operations. */
    protected async open(flags: Parameters<ApiCommand['createClient']>[0]) {
      const client = await this.createClient(flags)
      return client[plural as 'templates'] as unknown as {
        list(options: CallOptions): Promise<ReplyOf<R>[]>
        create(draft: InputOf<R>, options: CallOptions): Promise<ReplyOf<R>>
        delete(id: string, options: CallOptions): Promise<void>
      }
    }
  }
  return ResourceCommand
}

function createListCommand<R extends Resource>(
  resource: R,
  { columns = createColumns(resource) }: CommandSlots<R>,
): CommandClass {
  return class List extends createBase(resource, 'list') {
    static override flags = outputFlags

    async run(): Promise<void> {
      const { flags } = await this.parse(List)
      const printer = await this.openPrinter(flags, columns)
      const records = await (await this.open(flags)).list(this.callOptions)
      await printer.printList(records, `There are no ${resource.plural}.`)
    }
  }
}

function createCreateCommand<R extends Resource>(
  resource: R,
  { check, show, note }: CommandSlots<R>,
): CommandClass {
  const inputs = listFlags(resource)
  const required = inputs.filter(({ field }) => isRequired(field))
  const optional = inputs.filter(each => !required.includes(each))
  return class Create extends createBase(resource, 'create') {
    static override args: Record<string, Arg<string | undefined>> = Object.fromEntries(
      required.map(({ key, flag }) => [key, defineRequiredArgument(flag.about)]),
    )
    static override flags: FlagInput = Object.fromEntries(
      optional.map(input => [input.key, defineFlag(input)]),
    )

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Create)
      const draft: Record<string, unknown> = {}
      for (const { key, name, flag } of required) {
        const question = { name: flag.value, message: capitalize(key) }
        draft[name] = await this.requireValue(args[key], question)
      }
      for (const input of optional) {
        const value = parseFlag(input, (flags as Values)[input.key])
        if (value !== undefined) draft[input.name] = value
      }
      check?.(draft as InputOf<R>)
      const client = await this.open(flags)
      const created = await client.create(draft as InputOf<R>, this.callOptions)
      const { id, name } = created as Values
      this.print(created, show ?? (() => `Created ${name} (${id}).`))
      const text = note?.(created)
      if (text !== undefined) this.printNote(text)
    }
  }
}

function createDeleteCommand(resource: Resource): CommandClass {
  const { name } = resource
  return class Delete extends createBase(resource, 'delete') {
    static override args = {
      id: defineRequiredArgument(`Identifier of the ${name}; see \`${name} list\`.`),
    }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Delete)
      const question = { name: 'ID', message: `${capitalize(name)} identifier` }
      const id = await this.requireValue(args.id, question)
      await (await this.open(flags)).delete(id, this.callOptions)
      this.print({ id }, () => `Deleted ${id}.`)
    }
  }
}

function createColumns<R extends Resource>({ fields }: R): readonly Column<ReplyOf<R>>[] {
  const id: Column<ReplyOf<R>> = { name: 'id', isId: true, read: each => each.id }
  const others = Object.entries(fields).filter(([, { kind }]) => kind !== 'key')
  return [
    id,
    ...others.map(
      ([name, { kind }]): Column<ReplyOf<R>> => ({
        name,
        ...(kind === 'created' && { title: 'created', isTime: true }),
        read: each => (each as Values)[name] as string,
      }),
    ),
  ]
}

function listFlags(resource: Resource): Input[] {
  return listInputs(resource).map(({ name, field }) => {
    const { flag = { about: field.about, value: field.kind === 'integer' ? 'COUNT' : 'TEXT' } } =
      field
    return { name, field, flag, key: flag.name ?? name.replaceAll('_', '-') }
  })
}

function defineFlag({ key, field, flag }: Input) {
  const initial = 'default' in field ? String(field.default) : ''
  const shown = flag.defaultHelp ?? initial
  return string({
    description: flag.about,
    env: `SMSRELAY_${flag.env ?? key.replaceAll('-', '_').toUpperCase()}`,
    helpValue: flag.value,
    ...(shown === '' ? {} : { defaultHelp: async () => shown }),
    ...(flag.dependsOn && { dependsOn: [...flag.dependsOn] }),
    ...(field.kind === 'choice' && { options: [...field.options] }),
    ...(field.kind === 'list' && { multiple: true, multipleNonGreedy: true }),
  } as Parameters<typeof string>[0])
}

function parseFlag({ key, field }: Input, value: unknown): unknown {
  if (field.kind !== 'integer' || typeof value !== 'string') return value
  return value === '' ? undefined : parseInteger(`--${key}`, value, field.min, field.max)
}
