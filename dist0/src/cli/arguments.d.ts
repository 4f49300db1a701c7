import type { Arg } from '@oclif/core/interfaces';
/** An argument that may be left out. */
export declare function optionalArgument(description: string): Arg<string | undefined>;
/** An argument that is shown as required; where it is missing, the command asks for it. */
export declare function neededArgument(description: string): Arg<string | undefined>;
