// Resources: what an account has of a kind, such as templates. One file declares each, once; table,
// requests, replies, client, commands and pages come from it.
// This file has the kinds of fields, and the types that follow from a declaration; resources.ts has
// all resources; the files `resource-…` under src are the engine.
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
  readonly optional?: true
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
  readonly type: 'text' | 'texts' | 'whole' | 'boolean' | 'time'
  /** What it is in a record; a boolean says whether the record has it. */
  readonly stored?: string
  readonly unit?: string
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

/** Makes fields of a kind; their literals stay in their types. */
function defineKind<F extends Field>(kind: F['kind']) {
  return <const O extends Omit<F, 'kind'>>(options: O) =>
    ({ kind, ...options }) as { readonly kind: F['kind'] } & O
}

export const text = defineKind<TextField>('text')
export const integer = defineKind<IntegerField>('integer')
export const choice = defineKind<ChoiceField>('choice')
export const list = defineKind<ListField>('list')
export const computed = defineKind<ComputedField>('computed')
export const key = defineKind<KeyField>('key')
export const created = (about = 'When it was created.') =>
  defineKind<CreatedField>('created')({ about })

/** A resource whose store, service, pages and commands may be its own. */
export interface Listed {
  /** In addresses, commands, replies and records. */
  readonly name: string
  readonly plural: string
  /** Its name in sentences; its plural has an s. @default the name */
  readonly title?: string
  /** Its name in the OpenAPI document. @default the name with a capital */
  readonly schema?: string
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

type ValueOf<F> = F extends { readonly options: readonly (infer O)[] }
  ? O
  : F extends { readonly kind: keyof Values }
    ? Values[F['kind']]
    : F extends { readonly type: keyof Values }
      ? Values[F['type']]
      : string

interface Values {
  readonly list: readonly string[]
  readonly texts: readonly string[]
  readonly integer: number
  readonly whole: number
  readonly boolean: boolean
}

type Optional = { readonly optional: true }
type Given = Optional | { readonly default: unknown } | ListField
type Once = KeyField | { readonly isOnce: true }
type KeysOf<F, Kind> = { [K in keyof F]: F[K] extends Kind ? K : never }[keyof F]
type Input<R extends Listed> = Pick<R['fields'], KeysOf<R['fields'], InputField>>
type Stored<F> = {
  [K in keyof F as F[K] extends { readonly stored: infer S extends string } ? S : K]: F[K]
}

/** Values of fields; those of the kinds `Missing` may be missing, or be `Empty`. */
type ValuesOf<F, Missing, Empty = never> = Simplify<
  { readonly [K in Exclude<keyof F, KeysOf<F, Missing>>]: ValueOf<F[K]> } & {
    readonly [K in KeysOf<F, Missing>]?: ValueOf<F[K]> | Empty
  }
>

/** A record of a resource, as a store has it. */
export type RecordOf<R extends Listed> = Simplify<
  { readonly id: string; readonly account: string; readonly createdAt: number } & ValuesOf<
    Stored<Input<R>>,
    Optional
  > &
    (KeysOf<R['fields'], KeyField> extends never
      ? unknown
      : { readonly hash?: string; readonly hint?: string })
>

/** The values of a checked request, by their names in requests. */
export type DraftOf<R extends Listed> = ValuesOf<Input<R>, Optional, undefined>

/** What a program sends: values with a default may be missing. */
export type InputOf<R extends Listed> = ValuesOf<Input<R>, Given>

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

/** Whether a request must have the value, so that an empty one in a form is an error. */
export function isRequired(field: InputField): boolean {
  return field.kind === 'text' && field.optional !== true && field.default === undefined
}

/** Whether an account cannot have two of the same name. */
export function isNamed({ fields: { name } }: Listed): boolean {
  return name?.kind === 'text' && name.unique === 'account'
}

export function hasKey({ fields }: Listed): boolean {
  return Object.values(fields).some(({ kind }) => kind === 'key')
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
