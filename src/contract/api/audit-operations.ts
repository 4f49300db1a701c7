import { auditListReply, auditQuery, auditReply } from '../audit/audit-schema.js'
import { define, type Operation } from './define-operation.js'

const section = 'Audit log'

export const auditOperations = {
  listAudit: define('GET /audit', 'full', auditListReply, {
    role: 'admin',
    section,
    summary: 'List the audit log',
    description:
      'Sign-ins and changes, newest first. An account sees its own entries; that of the owner ' +
      'sees those of all accounts.',
    query: auditQuery,
    errors: { not_found: 'There is no such account, or it is not for this account to see.' },
  }),
  getAuditEntry: define('GET /audit/:id', 'full', auditReply, {
    role: 'admin',
    section,
    summary: 'Get an entry of the audit log',
    errors: { not_found: 'There is no such entry.' },
  }),
} satisfies Record<string, Operation>
