import { testAccountLists } from '../../suite/accounts/account-lists-suite.js'
import { testAccountRecords, testAccounts } from '../../suite/accounts/accounts-suite.js'
import { testRecordLimits } from '../../suite/accounts/record-limits-suite.js'
import { testAuditLog } from '../../suite/audit/audit-suite.js'
import { testContacts } from '../../suite/contacts/contacts-suite.js'
import { testDeliveryLog } from '../../suite/delivery-log-suite.js'
import { testDoNotText } from '../../suite/do-not-text-suite.js'
import { testPeople } from '../../suite/people/people-suite.js'
import { testReceivedTexts } from '../../suite/received-texts-suite.js'
import { testStatistics } from '../../suite/statistics-suite.js'
import { createPostgresDatabase } from '../postgres-rig.js'

testAccounts(createPostgresDatabase)
testAccountRecords(createPostgresDatabase)
testAccountLists(createPostgresDatabase)
testRecordLimits(createPostgresDatabase)
testPeople(createPostgresDatabase)
testDoNotText(createPostgresDatabase)
testContacts(createPostgresDatabase)
testReceivedTexts(createPostgresDatabase)
testStatistics(createPostgresDatabase)
testAuditLog(createPostgresDatabase)
testDeliveryLog(createPostgresDatabase)
