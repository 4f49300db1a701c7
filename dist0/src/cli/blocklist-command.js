import { boolean } from '@oclif/core/flags';
import { RelayError } from '../errors.js';
import { dataFlag } from './admin-command.js';
import { administer } from './administer.js';
import { ApiCommand } from './api-command.js';
/** A command on a Do Not Text list: the account's through the relay, the service's on its data directory. */
export class BlocklistCommand extends ApiCommand {
    static baseFlags = {
        ...ApiCommand.baseFlags,
        service: boolean({ description: 'The list of the whole service; needs its data directory.' }),
        data: dataFlag,
    };
    /** Does something with the list these flags name. */
    async onList(flags, open, use) {
        if (flags.service)
            return await administer(open, flags.data, this.io.env, use);
        if (flags.data !== undefined && !this.fromEnvironment(flags.data)) {
            throw new RelayError('usage', '--data goes with --service.');
        }
        return await use(await this.client(flags));
    }
    fromEnvironment(data) {
        return data === this.io.env.SMSRELAY_DATA_DIR;
    }
}
