import { string } from '@oclif/core/args';
/** An argument that may be left out. */
export function optionalArgument(description) {
    return string({ description, ignoreStdin: true });
}
/** An argument that is shown as required; where it is missing, the command asks for it. */
export function neededArgument(description) {
    return { ...optionalArgument(description), required: true };
}
