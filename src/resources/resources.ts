import { group } from './group.js'
import { mailbox } from './mailbox.js'
import type { RecordOf, Resource } from './resource.js'
import { template } from './template.js'

/** All resources, by their names. */
export const resources = { mailbox, group, template } as const

export type ResourceName = keyof typeof resources
export type ResourceRecords = {
  readonly [K in ResourceName]: RecordOf<(typeof resources)[K]>
}

export const resourceNames = Object.keys(resources) as ResourceName[]
export const allResources: readonly Resource[] = Object.values(resources)

type Change = 'create' | 'change' | 'delete'

/** What the audit log calls changes of resources: those of the dashboard, API and commands. */
export const resourceActions = allResources.flatMap(({ name, operations }) =>
  operations.flatMap(verb =>
    verb === 'list' || verb === 'get' ? [] : [`${name}.${verb === 'edit' ? 'change' : verb}`],
  ),
) as readonly `${ResourceName}.${Change}`[]
