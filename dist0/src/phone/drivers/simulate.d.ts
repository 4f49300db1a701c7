import type { Pause } from '../../util/pause.js';
import { type Driver } from '../driver.js';
import { type DriverOptions } from './options.js';
/** Names of the options of {@link createSimulateDriver}. */
export declare const simulateOptions: readonly ['delay', 'failure-rate', 'seed'];
/** What the simulated telephony uses of the world. */
export interface SimulateContext {
    readonly pause: Pause;
    readonly random: () => number;
}
/**
 * A driver that sends nothing: each text takes `delay` milliseconds (@default 0) and fails with the probability
 * `failure-rate` (@default 0); with a `seed` the same texts fail each time. Throws `usage`.
 */
export declare function createSimulateDriver(options: DriverOptions, context: SimulateContext): Driver;
