import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { list } from '#output/table.ts';
import { asPlugin, KEY, MACHINE, OLD_MACHINES } from './as-plugin.ts';

export const licenseHise = defineCommand({
  path: 'license hise',
  summary: 'Call the HISE drop-in routes: activate, validate or deactivate',
  operations: ['hiseActivate', 'hiseValidate', 'hiseDeactivate'],
  args: [
    ['<action>', 'activate, validate or deactivate', ['activate', 'validate', 'deactivate']],
    ['<license-key>', 'the serial'],
  ],
  options: {
    ...MACHINE,
    email: text('<address>', 'required for the first activation'),
    firstName: text('<name>', ''),
    lastName: text('<name>', ''),
    ...KEY,
    ...OLD_MACHINES,
  },
  examples: ['tonerow license hise activate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [action, key], options }) {
    const api = await asPlugin(context, options);
    const machine = { key, instance_id: options.machine };
    const person = { email: options.email, first_name: options.firstName, last_name: options.lastName };
    const answer =
      action === 'activate'
        ? await api.hiseActivate(
            { body: { ...machine, ...person, old_instance_ids: options.oldMachine } },
            context.call,
          )
        : action === 'validate'
          ? await api.hiseValidate({ body: machine }, context.call)
          : action === 'deactivate'
            ? await api.hiseDeactivate({ body: machine }, context.call)
            : undefined;
    if (!answer) throw new UsageError('The actions are activate, validate and deactivate.');
    await context.print(answer, list(Object.entries(answer).map(([name, value]) => [name, String(value)])));
  },
});
