import { useQuery } from '@tanstack/react-query';
import { Download, FileArchive, Plus, Upload, X } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { formatBytes } from '#lib/format/sizes.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { FieldError, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import type { ProductForm } from '../product-schema.ts';
import { storedFileId } from './stored-file.ts';
import { storedFileQuery } from './stored-file-query.ts';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { downloadStoredFile } from './upload-file.ts';
import { UploadRows } from './upload-rows.tsx';
import type { Uploads } from './use-uploads.ts';

interface FileRowsProps {
  form: UseFormReturn<ProductForm>;
  uploads: Uploads;
}

export function FileRows({ form, uploads }: FileRowsProps) {
  const rows = useFieldArray({ control: form.control, name: 'files' });
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const overall = form.formState.errors.files;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    uploads.add([...event.dataTransfer.files]);
  };
  return (
    <fieldset
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn('flex min-w-0 flex-col gap-3 rounded-md outline-offset-8 outline-accent', over && 'outline')}
    >
      <legend className="sr-only">Files / External Links</legend>
      {rows.fields.length === 0 && uploads.items.length === 0 ? (
        <p className="text-muted">Nothing yet. Upload an installer, a manual or a sample pack, or link to one.</p>
      ) : null}
      {rows.fields.map((row, index) => (
        <FileRow key={row.id} form={form} index={index} url={row.url} remove={() => rows.remove(index)} />
      ))}
      <UploadRows uploads={uploads} />
      <UnfinishedUploads running={uploads.items} />
      {overall?.message ? <FieldError>{overall.message}</FieldError> : null}
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Files to upload"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => input.current?.click()}>
          <Upload className="size-4" aria-hidden />
          Upload file
        </Button>
        <Button size="sm" onClick={() => rows.append({ name: '', url: '' })}>
          <Plus className="size-4" aria-hidden />
          Add link
        </Button>
      </div>
      <p className="text-sm text-muted">
        Up to 5 GB for each file. Drop one or more files here. Interrupted uploads resume where they stopped.
      </p>
    </fieldset>
  );
}

interface FileRowProps {
  form: UseFormReturn<ProductForm>;
  index: number;
  url: string;
  remove: () => void;
}

function FileRow({ form, index, url, remove }: FileRowProps) {
  const errors = form.formState.errors.files?.[index];
  const stored = storedFileId(url);
  const message = errors?.url?.message ?? errors?.name?.message;
  return (
    <div className="flex items-start gap-1.5">
      <div className="grid grid-cols-1 min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Input
          {...form.register(`files.${index}.name`)}
          placeholder="Label, such as Installer (macOS)"
          aria-label={`Label of ${stored ? 'file' : 'link'} ${index + 1}`}
          aria-invalid={errors?.name ? true : undefined}
          autoComplete="off"
        />
        <div className="flex min-w-0 flex-col gap-1">
          {stored ? (
            <StoredFileLine id={stored} />
          ) : (
            <Input
              {...form.register(`files.${index}.url`)}
              placeholder="External URL"
              aria-label={`External URL of link ${index + 1}`}
              aria-invalid={errors?.url ? true : undefined}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
            />
          )}
          {message ? <FieldError>{message}</FieldError> : null}
        </div>
      </div>
      <IconButton label={`Remove ${stored ? 'file' : 'link'} ${index + 1}`} className="mt-0.5" onClick={remove}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

function StoredFileLine({ id }: { id: string }) {
  const file = useQuery(storedFileQuery(id));
  const [busy, setBusy] = useState(false);
  const name = file.data?.name ?? 'Uploaded file';
  const download = async () => {
    setBusy(true);
    try {
      await downloadStoredFile(id);
    } catch (error) {
      notify.error("The file couldn't be downloaded.", error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex h-9 items-center gap-2 rounded-md border border-line bg-sunken pr-1 pl-3">
      <FileArchive className="size-4 shrink-0 text-muted" strokeWidth={1.8} aria-hidden />
      <span className="min-w-0 flex-1 truncate" title={name}>
        {file.isPending ? <span className="skeleton block h-4 w-32" /> : name}
      </span>
      {file.data ? <span className="figures shrink-0 text-sm text-muted">{formatBytes(file.data.size)}</span> : null}
      <IconButton label={`Download ${name}`} disabled={busy} onClick={download} className="size-7">
        <Download aria-hidden />
      </IconButton>
    </div>
  );
}
