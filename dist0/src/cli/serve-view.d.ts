import type { NewAccount } from '../contract/account.js';
/** Where a new account's keys are, and how the program is called here. */
export interface Whereabouts {
    readonly dataDir: string;
    readonly profile: string;
    readonly program: string;
}
/** How a person calls the program: in a checkout, where npm started it, by npx. */
export declare function programName(env: Readonly<Record<string, string | undefined>>): string;
/** What a person sees once of a new account. */
export declare function newAccountView(account: NewAccount, where: Whereabouts): string;
