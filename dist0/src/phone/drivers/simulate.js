import { seededRandom } from '../../util/seeded-random.js';
import { DriverError } from '../driver.js';
import { numberOption } from './options.js';
/** Names of the options of {@link createSimulateDriver}. */
export const simulateOptions = ['delay', 'failure-rate', 'seed'];
/**
 * A driver that sends nothing: each text takes `delay` milliseconds (@default 0) and fails with the probability
 * `failure-rate` (@default 0); with a `seed` the same texts fail each time. Throws `usage`.
 */
export function createSimulateDriver(options, context) {
    const delay = numberOption(options, 'delay', { least: 0, most: 600_000, unit: 'milliseconds' });
    const rate = numberOption(options, 'failure-rate', { least: 0, most: 1 }) ?? 0;
    const seed = numberOption(options, 'seed', { least: 0, most: 2 ** 32 - 1, whole: true });
    const random = seed === undefined ? context.random : seededRandom(seed);
    return {
        name: 'simulate',
        async send(_message, signal) {
            const fails = random() < rate;
            if (delay !== undefined && delay > 0)
                await context.pause(delay, signal);
            if (signal.aborted)
                throw new DriverError('trouble', 'Stopped before the text was sent.');
            if (fails)
                throw new DriverError('retry', 'Simulated failure.');
            return {};
        },
        async health() {
            return { ok: true, detail: 'Simulated: no text leaves this machine.' };
        },
        async [Symbol.asyncDispose]() { },
    };
}
