import { type Driver } from '../driver.js';
import { type DriverOptions } from './options.js';
/** Names of the options of {@link createExecDriver}. */
export declare const execOptions: readonly ['command', 'timeout'];
/** What the exec driver uses of the world. */
export interface ExecContext {
    /** Handed to the program, but for everything that begins with SMSRELAY_. */
    readonly env: Readonly<Record<string, string | undefined>>;
}
/**
 * A driver that runs a program for each text, never through a shell: `command` is split into words and gets the
 * destination and the text as two more arguments, and as SMSRELAY_DESTINATION and SMSRELAY_TEXT (with SMSRELAY_ID) in
 * its environment. A text may begin with `-`: end the command with `--` for a program that would take it for an
 * option. Exit 0 means sent, with the number of parts as the first line of stdout if it likes; any other status means
 * not sent, for the reason on stderr. After `timeout` seconds (@default 60), or when a signal ends it, nobody knows
 * whether it was sent. The timeout is best kept below the relay's lease (120 s). Throws `usage`.
 */
export declare function createExecDriver(options: DriverOptions, context: ExecContext): Driver;
