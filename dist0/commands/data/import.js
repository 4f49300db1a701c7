import { AdminCommand } from '../../src/cli/admin-command.js';
import { readJsonLines } from '../../src/cli/json-lines.js';
import { defaultDataDir } from '../../src/cli/places.js';
import { importDirectory } from '../../src/data.js';
export default class DataImport extends AdminCommand {
    static summary = 'Make a new data directory of what `data export` printed.';
    static examples = ['<%= config.bin %> data import --data ./new < relay.ndjson'];
    async run() {
        const { flags } = await this.parse(DataImport);
        const records = readJsonLines(this.io.stdin);
        const count = await importDirectory(flags.data ?? defaultDataDir(this.io.env), records);
        this.show({ records: count }, each => `Imported ${each.records} records.`);
    }
}
