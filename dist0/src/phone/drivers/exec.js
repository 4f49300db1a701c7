import { RelayError } from '../../errors.js';
import { splitCommand } from '../../util/split-command.js';
import { DriverError } from '../driver.js';
import { numberOption, requiredOption } from './options.js';
import { runProgram } from './run-program.js';
/** Names of the options of {@link createExecDriver}. */
export const execOptions = ['command', 'timeout'];
/** Characters of the program's stderr that go into a failure report. */
const errorLength = 500;
/**
 * A driver that runs a program for each text, never through a shell: `command` is split into words and gets the
 * destination and the text as two more arguments, and as SMSRELAY_DESTINATION and SMSRELAY_TEXT (with SMSRELAY_ID) in
 * its environment. A text may begin with `-`: end the command with `--` for a program that would take it for an
 * option. Exit 0 means sent, with the number of parts as the first line of stdout if it likes; any other status means
 * not sent, for the reason on stderr. After `timeout` seconds (@default 60), or when a signal ends it, nobody knows
 * whether it was sent. The timeout is best kept below the relay's lease (120 s). Throws `usage`.
 */
export function createExecDriver(options, context) {
    const example = `--command '/usr/local/bin/send-sms --'`;
    const words = splitCommand(requiredOption(options, 'command', example));
    const seconds = { least: 0.1, most: 3600, unit: 'seconds' };
    const timeout = (numberOption(options, 'timeout', seconds) ?? 60) * 1000;
    const [program, ...given] = words;
    if (program === undefined || program === '') {
        throw new RelayError('usage', 'The command names no program.');
    }
    const inherited = withoutOurs(context.env);
    return {
        name: 'exec',
        async send(message, signal) {
            const args = [...given, message.destination, message.text];
            const env = { ...inherited, ...told(message) };
            return receipt(await runProgram({ program, args, env, timeout, signal }));
        },
        async [Symbol.asyncDispose]() { },
    };
}
/** The phone's keys come in by SMSRELAY_ variables and are not the program's business. */
function withoutOurs(env) {
    const theirs = ([name]) => !name.toUpperCase().startsWith('SMSRELAY_');
    return Object.fromEntries(Object.entries(env).filter(theirs));
}
function told({ id, destination, text }) {
    return { SMSRELAY_ID: id, SMSRELAY_DESTINATION: destination, SMSRELAY_TEXT: text };
}
function receipt(ended) {
    const said = lastPart(ended.stderr);
    if (ended.by === 'exit' && ended.status === 0)
        return partsIn(ended.stdout);
    if (ended.by === 'exit')
        throw new DriverError('retry', said || `exit status ${ended.status}`);
    const what = ended.by === 'signal' ? `killed by ${ended.signal}` : ended.reason;
    throw new DriverError('unknown', said === '' ? what : `${what}: ${said}`);
}
function partsIn(stdout) {
    const [line = ''] = stdout.split('\n', 1);
    const parts = /^\s*\d{1,3}\s*$/.test(line) ? Number(line) : 0;
    return parts >= 1 && parts <= 255 ? { parts } : {};
}
function lastPart(stderr) {
    const line = stderr.replace(/[\p{Cc}\s]+/gu, ' ').trim();
    return line.slice(-errorLength).toWellFormed().trim();
}
