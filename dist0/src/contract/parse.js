import { RelayError } from '../errors.js';
/**
 * Checks a value against a schema of the interface. Throws `invalid_request` when something required is
 * missing and `invalid_parameter` when a value is wrong, with a sentence that names the field.
 */
export function parse(schema, value, what = 'request') {
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success)
        return result.data;
    const issue = result.error.issues[0];
    throw issue === undefined ? new RelayError('invalid_request', what) : toError(issue, what);
}
/** Checks a reply of a relay. Throws `invalid_reply`. */
export function parseReply(schema, value) {
    const result = schema.safeParse(value);
    if (result.success)
        return result.data;
    const issue = result.error.issues[0];
    const where = issue?.path.join('.') ?? '';
    throw new RelayError('invalid_reply', `The relay's answer is not of the interface: ${where} ${issue?.message}.`, {
        hint: 'Check that the address is that of a relay.',
    });
}
function toError(issue, what) {
    const field = issue.path.join('.');
    if (issue.code === 'custom' && issue.params?.missing === true) {
        return new RelayError('invalid_request', issue.message);
    }
    if (field === '')
        return new RelayError('invalid_request', `The ${what} must be an object with named fields.`);
    if (issue.input === undefined) {
        return new RelayError('invalid_request', `\`${field}\` is required.`);
    }
    return new RelayError('invalid_parameter', `\`${field}\` ${issue.message}.`);
}
