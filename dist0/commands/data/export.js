import { once } from 'node:events';
import { AdminCommand } from '../../src/cli/admin-command.js';
import { defaultDataDir } from '../../src/cli/places.js';
import { exportData } from '../../src/data.js';
export default class DataExport extends AdminCommand {
    static summary = 'Print everything in a data directory, a line of JSON a record.';
    static description = 'Works while the service runs. The output holds texts, numbers and keys: keep it safe.';
    static examples = ['<%= config.bin %> data export > relay.ndjson'];
    async run() {
        const { flags } = await this.parse(DataExport);
        const { stdout } = this.io;
        for await (const record of exportData(flags.data ?? defaultDataDir(this.io.env))) {
            this.signal.throwIfAborted();
            const goOn = stdout.write(`${JSON.stringify(record)}\n`);
            if (!goOn)
                await once(stdout, 'drain', { signal: this.signal });
        }
    }
}
