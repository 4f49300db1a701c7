import { RelayError } from '../../errors.js';
/** Reads a number option; undefined when it was not given. Throws `usage` that names the option and its range. */
export function numberOption(options, name, { least, most, unit = '', whole = false }) {
    const typed = options[name];
    if (typed === undefined)
        return undefined;
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(typed) ? Number(typed) : Number.NaN;
    if (value >= least && value <= most && (!whole || Number.isInteger(value)))
        return value;
    const kind = whole ? 'a whole number' : 'a number';
    const of = unit === '' ? '' : ` of ${unit}`;
    throw new RelayError('usage', `${name} must be ${kind}${of}, ${least} to ${most}; not "${typed}".`);
}
/** Reads an option that must be there. Throws `usage`. */
export function requiredOption(options, name, example) {
    const typed = options[name];
    if (typed !== undefined && typed.trim() !== '')
        return typed;
    throw new RelayError('usage', `The driver needs the option ${name}, such as ${example}.`);
}
