import { string } from '@oclif/core/flags';
import { administer } from './administer.js';
import { BaseCommand } from './base-command.js';
/** The flag that names a data directory. */
export const dataFlag = string({
    description: 'Data directory of the service. [default: that of `smsrelay serve`]',
    env: 'SMSRELAY_DATA_DIR',
    helpValue: 'DIR',
});
/** A command on a data directory, for someone who may read it. */
export class AdminCommand extends BaseCommand {
    static baseFlags = { ...BaseCommand.baseFlags, data: dataFlag };
    /** Opens a data directory, uses it and lets go of it. */
    async administer(open, data, use) {
        return await administer(open, data, this.io.env, use);
    }
}
