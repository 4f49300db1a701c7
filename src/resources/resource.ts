// Resources: what an account has of a kind, such as templates. One file declares each, once; table,
// requests, replies, client, commands and pages come from it.
//
//   resource.ts           the kinds of fields, and the types that follow from a declaration
//   template.ts, group.ts, mailbox.ts, person.ts
//   resources.ts          all of them
//   contract/resource-schema.ts, client/resource-client.ts, server/services/resource-service.ts,
//   server/api/resource-routes.ts, server/dashboard/resource-pages.tsx, cli/resource-commands.ts
//
// A declaration has no conditions, no nesting and no hooks. What a resource does beyond it is one
// function in place of a named slot of these files, or a method of a class that extends theirs.
import type { Role } from '../domain/account/person.js'
import type { RecordLimitName } from '../domain/account-limits.js'

interface Shown {
  /** What it is in a reply, for the API reference. */
  readonly about: string
}

interface Editable extends Shown {
  /** What it is in a request. @default `about` */
  readonly input?: string
  /** Its name in a record. @default its name in requests and replies */
  readonly stored?: string
  /** Of a page's form. @default the name with a capital */
  readonly label?: string
  readonly hint?: string
  /** A field of the form that stands in the same row as the one before. */
  readonly beside?: true
  /** Of a command: an argument, or a flag. @default an argument if a value is required */
  readonly flag?: Flag
}

export interface Flag {
  /** @default the name of the field with hyphens */
  readonly name?: string
  readonly about: string
  /** Suffix of the variable `SMSRELAY_…`. @default the name of the flag */
  readonly env?: string
  readonly value: string
  readonly defaultHelp?: string
  readonly dependsOn?: readonly string[]
}

export interface TextField extends Editable {
  readonly kind: 'text'
  readonly min: number
  readonly max: number
  readonly optional?: true
  readonly default?: string
  /** One line, without a space at its ends. */
  readonly isLine?: true
  /** Several lines in a form. */
  readonly isLong?: true
  readonly refused?: { readonly pattern: RegExp; readonly error: string }
  /** Where no other one has the same value, for which case and accents do not count. */
  readonly unique?: 'account' | 'relay'
}

export interface IntegerField extends Editable {
  readonly kind: 'integer'
  readonly min: number
  readonly max: number
  readonly optional?: true
  readonly default?: number
  readonly unit?: string
}

export interface ChoiceField extends Editable {
  readonly kind: 'choice'
  readonly options: readonly string[]
  /** Without it, a value is required. */
  readonly default?: string
  readonly labels?: readonly string[]
}

export interface ListField extends Editable {
  readonly kind: 'list'
  readonly count: number
  /** Characters of each text. */
  readonly max: number
}

export interface CreatedField extends Shown {
  readonly kind: 'created'
}

/** What the service says of a record in a reply, or only others can change. */
export interface ComputedField extends Shown {
  readonly kind: 'computed'
  readonly type: 'text' | 'whole' | 'boolean' | 'time'
  /** What it is in a record; a boolean says whether the record has it. */
  readonly stored?: string
  readonly optional?: true
  /** Only in the reply of `create`. */
  readonly isOnce?: true
}

/** A secret of which the record has only a hash and a hint; the reply of `create` has the key. */
export interface KeyField extends Shown {
  readonly kind: 'key'
}

export type InputField = TextField | IntegerField | ChoiceField | ListField
export type Field = InputField | CreatedField | ComputedField | KeyField
export type Fields = Readonly<Record<string, Field>>
export type Verb = 'list' | 'create' | 'get' | 'edit' | 'delete'

type Options<F> = Omit<F, 'kind'>

export function text<const O extends Options<TextField>>(options: O) {
  return { kind: 'text', ...options } as const
}

export function integer<const O extends Options<IntegerField>>(options: O) {
  return { kind: 'integer', ...options } as const
}

export function choice<const O extends Options<ChoiceField>>(options: O) {
  return { kind: 'choice', ...options } as const
}

export function list<const O extends Options<ListField>>(options: O) {
  return { kind: 'list', ...options } as const
}

export function created(about = 'When it was created.') {
  return { kind: 'created', about } as const
}

export function computed<const O extends Options<ComputedField>>(options: O) {
  return { kind: 'computed', ...options } as const
}

export function key<const O extends Options<KeyField>>(options: O) {
  return { kind: 'key', ...options } as const
}

/** A resource whose store, service, pages and commands may be its own. */
export interface Listed {
  /** In addresses, commands, replies and records. */
  readonly name: string
  readonly plural: string
  /** What a record is, in a few words. @default the name */
  readonly about?: string
  readonly fields: Fields
  readonly operations: readonly Verb[]
  /** Role that changes it. */
  readonly role: Role
  /** Role that lists it. @default reader */
  readonly readRole?: Role
  /** Tokens that change it. @default full */
  readonly scope?: 'login'
  /** Whether each reply has links. */
  readonly hasLinks?: true
  /** What deletion is called. @default delete */
  readonly removal?: 'remove' | 'revoke'
  /** What the reply of a list has. @default all, in order of creation */
  readonly listAbout?: string
  /** What an account has a limited number of. @default the plural */
  readonly limited?: string
  readonly section: string
  /** Sentences of the API reference on operations, besides their summaries. */
  readonly notes?: Readonly<Partial<Record<Verb, string>>>
  readonly summaries?: Readonly<Partial<Record<Verb, string>>>
}

export interface Resource extends Listed {
  /** In PostgreSQL. @default the name */
  readonly table?: string
  /** Most that an account may have, which the store counts in the commit that creates one. */
  readonly limit: RecordLimitName
  readonly page: PageTexts
  readonly commands: Readonly<Partial<Record<Verb, CommandTexts>>>
}

export interface PageTexts {
  readonly path: string
  readonly title: string
  readonly lead: string
  readonly icon: string
  readonly columns: readonly string[]
  readonly emptyTitle: string
  readonly empty: string
  readonly deleted: string
  /** The page that this one belongs to in the navigation. */
  readonly parent?: { readonly path: string; readonly label: string }
  /** If people do something else than save a form: the form, its button, and what is done then. */
  readonly edit?: { readonly label: string; readonly button: string; readonly done: string }
}

export interface CommandTexts {
  readonly summary: string
  readonly about?: string
  readonly examples: readonly (readonly [about: string, command: string])[]
}

/** Checks the type of a declaration and keeps its literals. */
export function defineResource<const R extends Listed>(resource: R): R {
  return resource
}

type ValueOf<F> = F extends ChoiceField
  ? F['options'][number]
  : F extends ListField
    ? readonly string[]
    : F extends IntegerField
      ? number
      : F extends { readonly type: 'whole' }
        ? number
        : F extends { readonly type: 'boolean' }
          ? boolean
          : string

type Optional = { readonly optional: true }
type Once = KeyField | { readonly isOnce: true }
type StoredName<F, K> = F extends { readonly stored: infer S } ? S : K
type KeysOf<F extends Fields, Kind> = { [K in keyof F]: F[K] extends Kind ? K : never }[keyof F]
type Input<F extends Fields> = Pick<F, KeysOf<F, InputField>>

/** A record of a resource, as a store has it. */
export type RecordOf<R extends Listed> = Simplify<
  {
    readonly id: string
    readonly account: string
    readonly createdAt: number
  } & {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Optional
      ? never
      : StoredName<R['fields'][K], K> & string]: ValueOf<R['fields'][K]>
  } & {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Optional
      ? StoredName<R['fields'][K], K> & string
      : never]?: ValueOf<R['fields'][K]>
  } & (KeysOf<R['fields'], KeyField> extends never
      ? unknown
      : { readonly hash?: string; readonly hint?: string })
>

/** The values of a checked request, by their names in requests. */
export type DraftOf<R extends Listed> = Simplify<
  {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Optional
      ? never
      : K]: ValueOf<R['fields'][K]>
  } & {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Optional ? K : never]?:
      | ValueOf<R['fields'][K]>
      | undefined
  }
>

/** What a program sends: values with a default may be missing. */
export type InputOf<R extends Listed> = Simplify<
  {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Given ? never : K]: ValueOf<
      R['fields'][K]
    >
  } & {
    readonly [K in keyof Input<R['fields']> as R['fields'][K] extends Given ? K : never]?: ValueOf<
      R['fields'][K]
    >
  }
>

type Given = Optional | { readonly default: unknown } | ListField

/** A resource in replies. */
export type ReplyOf<R extends Listed> = Simplify<
  { id: string } & {
    [K in keyof R['fields'] as R['fields'][K] extends Once ? never : K]:
      | ValueOf<R['fields'][K]>
      | (R['fields'][K] extends Optional ? null : never)
  } & {
    [K in KeysOf<R['fields'], Once>]?:
      | ValueOf<R['fields'][K]>
      | (R['fields'][K] extends Optional ? null : never)
  }
>

type Simplify<T> = { [K in keyof T]: T[K] }

export type EntryOf<R extends Listed> = { [K in R['name']]: ReplyOf<R> }

function isInput(field: Field): field is InputField {
  return field.kind in { text: 0, integer: 0, choice: 0, list: 0 }
}

/** The fields that a request has, with their names in requests and in records. */
export function listInputs({
  fields,
}: Listed): { name: string; stored: string; field: InputField }[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isInput(field) ? [{ name, stored: field.stored ?? name, field }] : [],
  )
}

/** Converts values of a request to those of a record. */
export function toStored(resource: Listed, draft: object): Record<string, unknown> {
  const given = draft as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    listInputs(resource)
      .filter(({ name }) => given[name] !== undefined)
      .map(({ name, stored }) => [stored, given[name]]),
  )
}

/** The values of a record that a request can have, in the order of the declaration. */
export function listValues(resource: Listed, record: object): unknown[] {
  const values = record as Readonly<Record<string, unknown>>
  return listInputs(resource).map(({ stored }) => values[stored])
}

/** Whether only the reply of `create` has a field. */
export function isOnce(field: Field): boolean {
  return field.kind === 'key' || 'isOnce' in field
}

export function hasOnce({ fields }: Listed): boolean {
  return Object.values(fields).some(isOnce)
}

export function capitalize<const T extends string>(name: T): Capitalize<T> {
  return (name.slice(0, 1).toUpperCase() + name.slice(1)) as Capitalize<T>
}
