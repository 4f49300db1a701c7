import { testAccountRecords } from '../suite/accounts-suite.js'
import { testDeliveryLog } from '../suite/delivery-log-suite.js'
import { createPostgresDatabase } from './postgres-rig.js'

testAccountRecords(createPostgresDatabase)
testDeliveryLog(createPostgresDatabase)
