import { string } from '@oclif/core/flags';
import { ApiCommand } from '../../src/cli/api-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { hitFlags, hitOf } from '../../src/cli/hook-flags.js';
import { hitLine } from '../../src/cli/hook-view.js';
import { listenForHits } from '../../src/cli/listening.js';
import { baseAddress, duration, integer } from '../../src/cli/values.js';
export default class HookListen extends ApiCommand {
    static summary = 'Receive hits on this machine and print each of them.';
    static description = 'Subscribes for as long as it runs and answers every hit with 200. It runs until Ctrl-C, until --count ' +
        'hits have come, or until --max-wait has passed (exit code 124). With --json each line is one of ' +
        '{"type":"ready"}, {"type":"hit"} and {"type":"end"}.';
    static examples = [
        '<%= config.bin %> hook listen',
        '<%= config.bin %> hook listen --events message.sent --count 1 --max-wait 30s --json',
        '<%= config.bin %> hook listen --host 0.0.0.0 --port 9000 --public-url http://my-machine:9000',
    ];
    static flags = {
        events: string({
            description: 'Events to listen to, with commas. [default: all]',
            helpValue: 'EVENTS',
        }),
        port: string({ description: 'Port to listen on. [default: a free one]', helpValue: 'N' }),
        host: string({ description: 'Address to listen on.', helpValue: 'HOST', default: '127.0.0.1' }),
        'public-url': string({
            description: 'Address at which the relay reaches this machine. [default: --host and --port]',
            helpValue: 'URL',
        }),
        count: string({ description: 'End after so many hits.', helpValue: 'N' }),
        'max-wait': string({
            description: 'End after this long, with exit code 124.',
            helpValue: 'TIME',
        }),
        ...hitFlags,
    };
    async run() {
        const { flags } = await this.parse(HookListen);
        const { host, count, 'max-wait': wait, 'public-url': publicUrl } = flags;
        const limits = {
            port: integer('--port', flags.port ?? '0', 0, 65535),
            count: count === undefined ? undefined : integer('--count', count, 1, 1e9),
            maxWait: wait === undefined ? undefined : duration('--max-wait', wait),
            publicUrl: publicUrl === undefined ? undefined : baseAddress('--public-url', publicUrl),
        };
        const client = await this.client(flags);
        const events = flags.events?.split(',').map(each => each.trim()) ?? (await client.listEvents(this.call));
        const result = await listenForHits({
            ...{ client, events, host, ...limits, ...hitOf(flags), signal: this.signal },
            onReady: url => this.line({ type: 'ready', url, events }, () => `Ready: ${events.join(', ')} at ${url}`),
            onHit: hit => this.line({ type: 'hit', time: new Date().toISOString(), ...hit }, hitLine),
        });
        this.#end(result, count !== undefined);
    }
    #end({ reason, hits, left }, counted) {
        this.line({ type: 'end', reason, hits }, () => undefined);
        this.note(`${reason === 'max-wait' ? 'The time is over' : 'Ended'} after ${hits} ${hits === 1 ? 'hit' : 'hits'}.`);
        if (left.length > 0)
            this.note(`Not removed: subscription ${left.join(', ')}.`);
        if (reason === 'max-wait')
            this.endWith(exitCodes.timedOut);
        if (reason === 'stopped' && counted && this.interrupted)
            this.endWith(exitCodes.interrupted);
    }
}
