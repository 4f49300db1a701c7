import { RelayError } from '../../errors.js';
import { pause } from '../../util/pause.js';
import { createExecDriver, execOptions } from './exec.js';
import { createSimulateDriver, simulateOptions } from './simulate.js';
const kinds = {
    exec: { options: execOptions, create: createExecDriver },
    simulate: { options: simulateOptions, create: createSimulateDriver },
};
/** The names of all drivers. */
export const driverNames = Object.keys(kinds);
/**
 * Makes a driver by name. Throws `usage` when there is none of that name, or an option is unknown, missing or wrong.
 */
export function createDriver(name, options, context = {}) {
    const { options: known, create } = kindOf(name);
    const unknown = Object.keys(options).find(option => !known.includes(option));
    if (unknown !== undefined) {
        const list = known.join(', ');
        throw new RelayError('usage', `The ${name} driver has no option "${unknown}"; it has ${list}.`);
    }
    return create(options, { env: process.env, pause, random: Math.random, ...context });
}
function kindOf(name) {
    const found = Object.entries(kinds).find(([each]) => each === name);
    if (found !== undefined)
        return found[1];
    throw new RelayError('usage', `There is no driver "${name}"; there are ${driverNames.join(', ')}.`);
}
