import { boolean, string } from '@oclif/core/flags';
/** How a hit is made: flags that creating, editing and listening share. */
export const hitFlags = {
    method: string({
        description: 'HTTP method of the hit, any token. [default: POST]',
        helpValue: 'TOKEN',
    }),
    post: boolean({
        description: 'Data as a JSON body; --no-post: in the query string. [default: no]',
        allowNo: true,
    }),
};
/** The part of a subscription these flags name. */
export function hitOf(flags) {
    return {
        ...(flags.method === undefined ? {} : { method: flags.method }),
        ...(flags.post === undefined ? {} : { post: flags.post }),
    };
}
