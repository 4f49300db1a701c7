import { exitCodes } from './exit-codes.js';
import { report, wantsJson } from './failure.js';
import { isBrokenPipe } from './interruption.js';
import { processIo } from './io.js';
/** Runs one command line to its end; an error, wherever it comes from, is told in one line and sets the exit code. */
export async function main({ argv, root, io = processIo }) {
    const json = wantsJson(argv);
    guard(io, json);
    try {
        const { dispatch } = await import('./dispatch.js');
        await dispatch(argv, root, io);
    }
    catch (error) {
        await report(error, io, json);
    }
}
/**
 * What escapes every command, such as a full disk behind stdout, would end in a stack trace: it is told in one
 * line, and the process ends, because nobody knows what state it is in.
 */
function guard(io, json) {
    let told = false;
    const tell = (error) => {
        if (isBrokenPipe(error))
            return;
        const end = () => io.forceExit(exitCodes.failed);
        if (told)
            return end();
        told = true;
        report(error, io, json).then(end, end);
    };
    io.stderr.on('error', () => undefined);
    process.on('uncaughtException', tell);
    process.on('unhandledRejection', tell);
}
