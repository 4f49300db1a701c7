import { AdminCommand } from '../../src/cli/admin-command.js';
import { dataReportView } from '../../src/cli/data-views.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { defaultDataDir } from '../../src/cli/places.js';
import { checkDirectory } from '../../src/data.js';
export default class DataCheck extends AdminCommand {
    static summary = 'Check a data directory, whether the service runs or not.';
    static description = 'Reads every file, checks every line and changes nothing. Ends with 1 when something is damaged.';
    static examples = ['<%= config.bin %> data check --data /var/lib/smsrelay'];
    async run() {
        const { flags } = await this.parse(DataCheck);
        const report = await checkDirectory(flags.data ?? defaultDataDir(this.io.env));
        this.show(report, dataReportView);
        if (report.damages.some(each => each.kind === 'damaged'))
            this.endWith(exitCodes.failed);
    }
}
