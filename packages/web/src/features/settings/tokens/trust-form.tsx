import { useQueryClient } from '@tanstack/react-query';
import { scopesOf } from '@tonerow/sdk/routes';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Trust } from '#lib/types.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { type Scope, ScopeChoices } from './scope-choices.tsx';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';

interface TrustFormProps {
  /** The one to change. Without it a new one is made. */
  trust?: Trust;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The scopes that the workflows of the guides need. */
const usual: Scope[] = ['account:read', 'products:read', 'serials:write'];

/** Asks which jobs are trusted, and with which scopes. */
export function TrustForm({ trust, ...dialog }: TrustFormProps) {
  const queryClient = useQueryClient();
  const service = !trust
    ? 'github'
    : trust.issuer === GITLAB
      ? 'gitlab'
      : trust.provider === 'github'
        ? 'github'
        : 'own';
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title={trust ? 'Edit the trust' : 'Trust jobs of a repository'}
      values={{
        name: trust?.name ?? '',
        service,
        issuer: service === 'own' ? (trust?.issuer ?? '') : '',
        repository_id: trust?.repository_id ?? '',
        branch: trust ? (trust.branch ?? '') : 'main',
        environment: trust?.environment ?? '',
        scopes: trust?.scopes ?? usual,
      }}
      check={({ name, service, issuer, repository_id, branch, environment, scopes }) => ({
        name: !name.trim() && 'Enter a name, such as release.',
        issuer: service === 'own' && !issuer.trim() && 'Enter an address such as https://gitlab.example.com.',
        repository_id:
          !/^[1-9]\d*$/.test(repository_id.trim()) &&
          `Enter the number of the ${service === 'github' ? 'repository' : 'project'}.`,
        branch: !branch.trim() && !environment.trim() && 'Enter a branch, an environment, or both.',
        scopes: scopes.length === 0 && 'Choose at least one scope.',
      })}
      save={async ({ service, issuer, ...form }) => {
        const body = {
          name: form.name.trim(),
          repository_id: form.repository_id.trim(),
          branch: form.branch.trim() || null,
          environment: form.environment.trim() || null,
          scopes: form.scopes,
        };
        const from = service === 'own' ? issuer.trim() : service === 'github' ? GITHUB : GITLAB;
        const saved = trust
          ? await api.updateTrust({ path: { id: trust.id }, body })
          : await api.createTrust({ body: { ...body, issuer: from } });
        refreshAfter(queryClient, 'trustsChanged');
        return saved;
      }}
      action={trust ? 'Save' : 'Add trust'}
      failed={trust ? 'Save failed.' : 'Add failed.'}
    >
      {({ register, error, watch }) => (
        <>
          <Field label="Name" error={error('name')}>
            {(control) => <Input {...control} {...register('name')} maxLength={100} autoComplete="off" />}
          </Field>
          {trust ? (
            // for another service, another trust is added
            <p className="text-sm text-muted wrap-anywhere">Its tokens are signed by {trust.issuer}.</p>
          ) : (
            <Field label="Service">
              {(control) => (
                <Select {...control} {...register('service')}>
                  <option value="github">GitHub Actions</option>
                  <option value="gitlab">GitLab.com</option>
                  <option value="own">A GitLab of your own</option>
                </Select>
              )}
            </Field>
          )}
          {!trust && watch('service') === 'own' ? (
            <Field label="Its address" error={error('issuer')}>
              {(control) => (
                <Input {...control} {...register('issuer')} type="url" placeholder="https://gitlab.example.com" />
              )}
            </Field>
          ) : null}
          <Field
            label={watch('service') === 'github' ? 'Repository id' : 'Project id'}
            hint={
              watch('service') === 'github' ? (
                <>
                  A number, which stays when the repository is renamed:{' '}
                  <code className="block font-mono wrap-anywhere">gh api repos/OWNER/NAME --jq .id</code>
                </>
              ) : (
                'A number, which the page of the project shows.'
              )
            }
            error={error('repository_id')}
          >
            {(control) => <Input {...control} {...register('repository_id')} inputMode="numeric" className="figures" />}
          </Field>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label="Branch" optional hint="Empty: all that may deploy there." error={error('branch')}>
              {(control) => <Input {...control} {...register('branch')} maxLength={255} autoComplete="off" />}
            </Field>
            <Field label="Environment" optional hint="Such as production." error={error('environment')}>
              {(control) => <Input {...control} {...register('environment')} maxLength={255} autoComplete="off" />}
            </Field>
          </div>
          <ScopeChoices scopes={scopesOf.developer} input={register('scopes')} error={error('scopes')} />
        </>
      )}
    </FormDialog>
  );
}
