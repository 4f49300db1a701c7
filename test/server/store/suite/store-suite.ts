import { testAccountLists } from './accounts/account-lists-suite.js'
import { testAccountRecords, testAccounts } from './accounts/accounts-suite.js'
import { testRecordLimits } from './accounts/record-limits-suite.js'
import { testAuditLog } from './audit/audit-suite.js'
import { testBatches } from './batches-suite.js'
import { testChanges } from './changes-suite.js'
import { testClaims } from './claims-suite.js'
import { testContacts } from './contacts/contacts-suite.js'
import { testDeliveryLog } from './delivery-log-suite.js'
import { testDoNotText } from './do-not-text-suite.js'
import { testEventPages, testEvents } from './events-suite.js'
import { testIdempotency } from './idempotency-suite.js'
import { testLimits } from './limits-suite.js'
import { testMessageLists } from './message-list-suite.js'
import { testPeople } from './people/people-suite.js'
import { testEventPurge } from './purge/event-purge-suite.js'
import { testMessagePurge } from './purge/message-purge-suite.js'
import { testReceivedTexts } from './received-texts-suite.js'
import { testStatistics } from './statistics-suite.js'
import type { CreateDatabase } from './test-database.js'

export function testStore(createDatabase: CreateDatabase): void {
  testChanges(createDatabase)
  testAccounts(createDatabase)
  testAccountRecords(createDatabase)
  testAccountLists(createDatabase)
  testRecordLimits(createDatabase)
  testPeople(createDatabase)
  testClaims(createDatabase)
  testBatches(createDatabase)
  testMessageLists(createDatabase)
  testMessagePurge(createDatabase)
  testIdempotency(createDatabase)
  testLimits(createDatabase)
  testDoNotText(createDatabase)
  testContacts(createDatabase)
  testReceivedTexts(createDatabase)
  testEvents(createDatabase)
  testEventPages(createDatabase)
  testEventPurge(createDatabase)
  testStatistics(createDatabase)
  testDeliveryLog(createDatabase)
  testAuditLog(createDatabase)
}
