// Child process: writes messages to an empty database. Arguments: its URL, amounts as JSON.
import { prepareSchema } from '../../../src/server/store/postgres/schema/migrate.js'
import { importDatabase } from '../../../src/server/store/postgres/transfer/import-database.js'
import { createClock } from '../../../src/util/async/clock.js'
import { type Amounts, createRecords } from './records.js'

const [connectionString = '', text = '{}'] = process.argv.slice(2)
const records = createRecords(JSON.parse(text) as Amounts, Date.now())
await prepareSchema({ connectionString }, { clock: createClock(), random: Math.random })
await importDatabase({ connectionString }, records)
