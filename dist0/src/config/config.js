import { resolve } from 'node:path';
import { connectionLimits } from '../domain/limits.js';
import { RelayError } from '../errors.js';
/** Checks settings and fills in what was left out. Throws `usage`. */
export function toConfig(settings) {
    return {
        dataDir: resolve(named('data directory', settings.dataDir)),
        host: named('host', settings.host ?? '127.0.0.1'),
        port: between('port', settings.port ?? 8080, 0, 65_535),
        baseUrl: settings.baseUrl === undefined ? undefined : address(settings.baseUrl),
        sandbox: settings.sandbox ?? false,
        lease: between('lease', settings.lease ?? 120, 1, 86_400) * 1000,
        tokenLifetime: between('token lifetime', settings.tokenLifetime ?? 28_800, 1, 31_536_000) * 1000,
        trustProxy: settings.trustProxy ?? false,
        limits: toLimits({ ...connectionLimits, ...settings.limits }),
    };
}
function toLimits(limits) {
    for (const [name, value] of Object.entries(limits))
        between(`limit ${name}`, value, 1, 2 ** 31 - 1);
    if (limits.headTimeout <= limits.requestTimeout)
        return limits;
    throw new RelayError('usage', 'The limit headTimeout must not be longer than requestTimeout.');
}
/** Nothing would mean the working directory, or every address of the machine. */
function named(name, value) {
    if (value !== '')
        return value;
    throw new RelayError('usage', `The ${name} must not be empty.`);
}
function between(name, value, least, most) {
    if (Number.isInteger(value) && value >= least && value <= most)
        return value;
    throw new RelayError('usage', `The ${name} must be an integer, ${least} to ${most}.`);
}
function address(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (isPlain && /^https?:$/.test(url.protocol))
        return url.href.replace(/\/+$/, '');
    throw new RelayError('usage', `The base URL ${text} must be an address such as https://sms.example.com.`);
}
