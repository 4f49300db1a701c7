import { describe } from 'vitest'
import { testBatches } from '../../suite/batches-suite.js'
import { testChanges } from '../../suite/changes-suite.js'
import { testClaims } from '../../suite/claims-suite.js'
import { testEventPages, testEvents } from '../../suite/events-suite.js'
import { testIdempotency } from '../../suite/idempotency-suite.js'
import { testMessageLists } from '../../suite/message-list-suite.js'
import { testEventPurge } from '../../suite/purge/event-purge-suite.js'
import { testMessagePurge } from '../../suite/purge/message-purge-suite.js'
import { createPostgresDatabase } from '../postgres-rig.js'

describe('messages on PostgreSQL', () => {
  testChanges(createPostgresDatabase)
  testClaims(createPostgresDatabase)
  testBatches(createPostgresDatabase)
  testIdempotency(createPostgresDatabase)
  testMessageLists(createPostgresDatabase)
  testMessagePurge(createPostgresDatabase)
  testEvents(createPostgresDatabase)
  testEventPages(createPostgresDatabase)
  testEventPurge(createPostgresDatabase)
})
