import { RelayError } from '../errors.js';
import { Interrupted } from './interruption.js';
/** Whether there is somebody to ask: both ends are terminals, and no program reads the answer. */
export function canAsk(io, json) {
    return !json && io.stdin.isTTY === true && io.stderr.isTTY === true;
}
/** The value, or a person's answer where there is none. Throws `usage` where nobody can be asked. */
export async function need(value, question, io, json) {
    if (value !== undefined)
        return value;
    if (canAsk(io, json))
        return await ask(question, io);
    throw new RelayError('usage', `${question.name} is missing.`, {
        hint: question.hint ?? 'See --help.',
    });
}
/** Asks a person on stderr. Throws {@link Interrupted} at Ctrl-C. */
export async function ask(question, io) {
    const answer = await prompt(io, {
        ...(question.secret === true ? { type: 'password', mask: '*' } : { type: 'input' }),
        ...(question.default === undefined ? {} : { default: question.default }),
        message: question.message,
        validate: (text) => question.optional === true || text !== '' || 'An answer is needed here.',
    });
    return String(answer);
}
/** Asks yes or no; no is the default. */
export async function confirm(message, io) {
    return (await prompt(io, { type: 'confirm', message, default: false })) === true;
}
/** Asks for one of a few. */
export async function choose(message, choices, io) {
    return String(await prompt(io, { type: 'select', message, choices: [...choices] }));
}
async function prompt(io, question) {
    const { createPromptModule } = (await import('inquirer')).default;
    const run = createPromptModule({
        input: io.stdin,
        output: io.stderr,
    });
    try {
        const answers = await run([{ ...question, name: 'answer' }]);
        return answers.answer;
    }
    catch (error) {
        throw error instanceof Error && error.name === 'ExitPromptError' ? new Interrupted() : error;
    }
}
