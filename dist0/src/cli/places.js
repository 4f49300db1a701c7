import { homedir } from 'node:os';
import { join } from 'node:path';
/** Where the service keeps its data unless told: SMSRELAY_DATA_DIR, else the user's own data directory. */
export function defaultDataDir(env = process.env, platform = process.platform) {
    const given = env.SMSRELAY_DATA_DIR;
    if (given !== undefined && given !== '')
        return given;
    if (platform === 'win32')
        return join(local(env), 'smsrelay', 'Data');
    if (platform === 'darwin')
        return join(homedir(), 'Library', 'Application Support', 'smsrelay');
    return join(xdg(env.XDG_DATA_HOME, '.local', 'share'), 'smsrelay');
}
/** Where profiles are kept: SMSRELAY_CONFIG_DIR, else the user's own configuration directory. */
export function configDir(env = process.env, platform = process.platform) {
    const given = env.SMSRELAY_CONFIG_DIR;
    if (given !== undefined && given !== '')
        return given;
    if (platform === 'win32')
        return join(local(env), 'smsrelay', 'Config');
    if (platform === 'darwin')
        return join(homedir(), 'Library', 'Preferences', 'smsrelay');
    return join(xdg(env.XDG_CONFIG_HOME, '.config'), 'smsrelay');
}
/** Where a phone keeps its journal unless told: a directory for each name, in the user's own state directory. */
export function defaultJournalDir(name, env = process.env, platform = process.platform) {
    if (platform === 'win32')
        return join(local(env), 'smsrelay', 'Phone', name);
    if (platform === 'darwin') {
        return join(homedir(), 'Library', 'Application Support', 'smsrelay-phone', name);
    }
    return join(xdg(env.XDG_STATE_HOME, '.local', 'state'), 'smsrelay', name);
}
function local(env) {
    return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
}
/** A relative path in an XDG variable does not count (XDG Base Directory Specification). */
function xdg(given, ...fallback) {
    return given?.startsWith('/') === true ? given : join(homedir(), ...fallback);
}
