import { defaultProfile } from './profile.js';
/** How a person calls the program: in a checkout, where npm started it, by npx. */
export function programName(env) {
    return env.npm_lifecycle_event === 'start' ? 'npx smsrelay' : 'smsrelay';
}
/** What a person sees once of a new account. */
export function newAccountView(account, where) {
    const use = where.profile === defaultProfile ? '' : ` --profile ${where.profile}`;
    return [
        `A new relay in ${where.dataDir}. Its owner's account, shown this once:`,
        '',
        `  E-mail      ${account.email}`,
        `  Password    ${account.password}`,
        `  Secret key  ${account.secret_key}`,
        `  API key     ${account.api_key}`,
        `  App key     ${account.app_key}`,
        '',
        `The keys are saved as the profile "${where.profile}", so this works in other terminals:`,
        '',
        `  ${where.program} phone --driver simulate${use}`,
        `  ${where.program} message send +12025550123 "Hello" --wait${use}`,
        '',
    ].join('\n');
}
