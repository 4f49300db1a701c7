// Child process: writes messages to an empty database. Arguments: its URL, amounts as JSON.
import { prepareSchema } from '../../../src/server/store/postgres/schema/schema.js'
import { importDatabase } from '../../../src/server/store/postgres/transfer/import-database.js'
import { type Amounts, createRecords } from './records.js'

const [connectionString = '', text = '{}'] = process.argv.slice(2)
const records = createRecords(JSON.parse(text) as Amounts, Date.now())
await prepareSchema({ connectionString })
await importDatabase({ connectionString }, records)
