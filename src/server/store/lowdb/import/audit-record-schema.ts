import { z } from 'zod'
import {
  type AuditActor,
  type AuditEntry,
  type AuditTarget,
  auditActions,
  auditActorKinds,
} from '../../../../domain/audit/audit-entry.js'
import { name as id, object, optional, time } from './record-fields.js'

export const audit = object<AuditEntry>({
  id,
  account: id,
  at: time,
  action: z.enum(auditActions),
  actor: object<AuditActor>({
    kind: z.enum(auditActorKinds),
    id: optional(id),
    name: optional(id),
  }),
  target: optional(object<AuditTarget>({ kind: id, id: optional(id), name: optional(id) })),
  detail: optional(id),
  refused: optional(z.literal(true)),
  address: optional(id),
  device: optional(id),
  request: optional(id),
})
