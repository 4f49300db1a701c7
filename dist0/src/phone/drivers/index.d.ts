import type { Driver } from '../driver.js';
import { createExecDriver, type ExecContext } from './exec.js';
import type { DriverOptions } from './options.js';
import { createSimulateDriver, type SimulateContext } from './simulate.js';
/** What drivers use of the world. */
export interface DriverContext extends ExecContext, SimulateContext {
}
declare const kinds: {
    exec: {
        options: readonly ["command", "timeout"];
        create: typeof createExecDriver;
    };
    simulate: {
        options: readonly ["delay", "failure-rate", "seed"];
        create: typeof createSimulateDriver;
    };
};
/** The name of a driver. */
export type DriverName = keyof typeof kinds;
/** The names of all drivers. */
export declare const driverNames: DriverName[];
/**
 * Makes a driver by name. Throws `usage` when there is none of that name, or an option is unknown, missing or wrong.
 */
export declare function createDriver(name: string, options: DriverOptions, context?: Partial<DriverContext>): Driver;
export {};
