import { Button, Radio, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BusinessCentral } from '../../../contract/business-central.ts';
import {
  ACCESS_FORM,
  type AccessField,
  wrongAccess,
} from '../../../domain/business-central-access.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { useProvider } from '../../lib/provider.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { DayField } from '../../ui/forms/day-field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useCompanyToday } from '../../ui/use-today.ts';
import { useFindCompanies, useSaveConnection, useTestAccess } from './api.ts';
import classes from './integrations.module.css';
import { Refusal } from './refusal.tsx';

type Saved = NonNullable<BusinessCentral['conexion']>;

export interface ConnectionFormProps {
  /** The existing connection, when changing it. */
  readonly connection?: Saved;
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

const EVERY = [
  { value: '5', label: 'Cada 5 minutos' },
  { value: '15', label: 'Cada 15 minutos' },
  { value: '60', label: 'Cada hora' },
  { value: '1440', label: 'Una vez al día' },
];

type Draft = ReturnType<typeof draftOf>;

function draftOf(saved: Saved | undefined, today: string) {
  return {
    tenant: saved?.tenant ?? '',
    entorno: saved?.entorno ?? 'Production',
    clientId: saved?.clientId ?? '',
    clientSecret: '',
    empresaId: saved?.empresaId ?? '',
    desde: saved?.desde ?? today,
    modo: saved?.modo ?? ('borradores' as const),
    devolver: saved?.devolver ?? true,
    cadaMinutos: saved?.cadaMinutos ?? 15,
  };
}

/** Huella's credentials at Microsoft; then the company, the start date, and what becomes of its invoices. */
export function ConnectionForm({ connection, onDone, onCancel }: ConnectionFormProps) {
  const today = useCompanyToday();
  const [draft, setDraft] = useState(() => draftOf(connection, today));
  const [isTried, setTried] = useState(false);
  const find = useFindCompanies();
  const save = useSaveConnection();
  const companies =
    find.data ??
    (connection ? [{ value: connection.empresaId, label: connection.empresa }] : undefined);

  const change = (changed: Partial<Draft>) => {
    setDraft({ ...draft, ...changed });
    save.reset();
  };
  const changeAccess = (changed: Partial<Draft>) => {
    change(changed);
    find.reset();
  };

  const search = (form: HTMLFormElement) => {
    setTried(true);
    const needsSecret = !connection && draft.clientSecret === '';
    if (wrongAccess(draft).length > 0 || needsSecret) {
      focusFirstInvalid(form);
      return;
    }
    find.mutate(draft, {
      onSuccess: (found) => {
        const same = found.find(({ value }) => value === draft.empresaId) ?? found[0];
        setDraft((now) => ({ ...now, empresaId: same?.value ?? '' }));
      },
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (find.isPending || save.isPending) return;
    if (!companies) return search(event.currentTarget);
    setTried(true);
    if (!draft.empresaId || !draft.desde) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    save.mutate(draft, { onSuccess: onDone });
  };

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <AccessFields draft={draft} isTried={isTried} isNew={!connection} onChange={changeAccess} />
      <div className={classes.buttons}>
        <Button
          // Enter in a form does the same as its submit button.
          type={companies ? 'button' : 'submit'}
          variant={companies ? 'default' : 'filled'}
          loading={find.isPending}
          onClick={(event) => {
            const form = event.currentTarget.closest('form');
            if (form && companies) search(form);
          }}
        >
          Buscar empresas
        </Button>
        {!companies && onCancel && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancelar
          </Button>
        )}
        <TestAccess onFill={(access) => changeAccess({ ...access, entorno: 'Production' })} />
      </div>
      <Refusal error={find.error} />
      {companies && companies.length === 0 && (
        <ErrorNote>
          Esa aplicación no llega a ninguna empresa. Dale permisos en Business Central y busca otra
          vez.
        </ErrorNote>
      )}
      {companies && companies.length > 0 && (
        <>
          <hr className={classes.rule} />
          <ImportFields draft={draft} isTried={isTried} companies={companies} onChange={change} />
          <Refusal error={save.error} />
          <div className={classes.buttons}>
            <Button type="submit" loading={save.isPending}>
              Guardar conexión
            </Button>
            {onCancel && (
              <Button variant="subtle" color="gray" onClick={onCancel}>
                Cancelar
              </Button>
            )}
          </div>
        </>
      )}
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  /** The user has tried to continue: missing and wrong fields are marked. */
  readonly isTried: boolean;
  readonly onChange: (changed: Partial<Draft>) => void;
}

/** Huella's credentials at Microsoft. */
function AccessFields({
  draft,
  isTried,
  isNew,
  onChange,
}: FieldsProps & { readonly isNew: boolean }) {
  const missing = (text: string, sentence: string) =>
    isTried && text.trim() === '' ? sentence : undefined;
  const wrong = (field: AccessField) =>
    isTried && wrongAccess(draft).includes(field) ? ACCESS_FORM[field].sentence : undefined;
  return (
    <div className={classes.grid}>
      <TextInput
        label="Inquilino"
        description="Id. de directorio, o tu dominio de Microsoft"
        autoComplete="off"
        spellCheck={false}
        value={draft.tenant}
        error={missing(draft.tenant, 'Escribe el inquilino.') ?? wrong('tenant')}
        onChange={(event) => onChange({ tenant: event.currentTarget.value })}
      />
      <TextInput
        label="Entorno"
        description="El de tus datos reales suele ser Production"
        autoComplete="off"
        spellCheck={false}
        value={draft.entorno}
        error={missing(draft.entorno, 'Escribe el entorno.') ?? wrong('entorno')}
        onChange={(event) => onChange({ entorno: event.currentTarget.value })}
      />
      <TextInput
        label="Id. de aplicación (cliente)"
        autoComplete="off"
        spellCheck={false}
        value={draft.clientId}
        error={missing(draft.clientId, 'Escribe el id. de aplicación.') ?? wrong('clientId')}
        onChange={(event) => onChange({ clientId: event.currentTarget.value })}
      />
      <PasswordField
        label="Secreto"
        autoComplete="off"
        placeholder={isNew ? '' : 'El guardado'}
        value={draft.clientSecret}
        error={isNew && missing(draft.clientSecret, 'Escribe el secreto.')}
        onChange={(event) => onChange({ clientSecret: event.currentTarget.value })}
      />
    </div>
  );
}

interface ImportFieldsProps extends FieldsProps {
  readonly companies: readonly { readonly value: string; readonly label: string }[];
}

/** The company, the start date, and what becomes of its invoices. */
function ImportFields({ draft, isTried, companies, onChange }: ImportFieldsProps) {
  const today = useCompanyToday();
  return (
    <>
      <div className={classes.grid}>
        <Select
          label="Empresa"
          description="La que tiene tu NIF"
          data={companies}
          allowDeselect={false}
          value={draft.empresaId || null}
          error={isTried && !draft.empresaId && 'Elige la empresa de la lista.'}
          onChange={(value) => onChange({ empresaId: value ?? '' })}
        />
        <DayField
          label="Traer facturas desde el"
          description="Fecha de emisión; las anteriores se quedan allí"
          value={draft.desde}
          error={isTried && !draft.desde && 'Elige una fecha.'}
          today={today}
          onChange={(desde) => onChange({ desde })}
        />
      </div>
      <Radio.Group
        label="Qué hacer con cada factura"
        value={draft.modo}
        onChange={(modo) => onChange({ modo: modo === 'registrar' ? 'registrar' : 'borradores' })}
      >
        <div className={classes.choices}>
          <Radio
            value="borradores"
            label="Dejarla como borrador"
            description="La revisas y la registras tú, una a una o todas a la vez."
          />
          <Radio
            value="registrar"
            label="Registrarla al momento"
            description="Se numera y se envía a la AEAT sola. Después solo se puede rectificar."
          />
        </div>
      </Radio.Group>
      <div className={classes.grid}>
        <Select
          label="Sincronizar"
          data={EVERY}
          allowDeselect={false}
          value={String(draft.cadaMinutos)}
          onChange={(value) => onChange({ cadaMinutos: Number(value) })}
        />
        <Switch
          className={classes.switch}
          label="Devolver estado, huella, CSV y QR"
          description="Como archivo adjunto de cada documento en Business Central"
          checked={draft.devolver}
          onChange={(event) => onChange({ devolver: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}

interface TestAccessProps {
  readonly onFill: (access: { tenant: string; clientId: string; clientSecret: string }) => void;
}

/** Only when Business Central is simulated: credentials to try it with. */
function TestAccess({ onFill }: TestAccessProps) {
  const { desarrollo } = useProvider();
  const access = useTestAccess();
  if (!desarrollo) return null;
  return (
    <Button
      variant="subtle"
      loading={access.isPending}
      onClick={() =>
        access.mutate(undefined, {
          onSuccess: ({ tenant, clientId, secreto }) =>
            onFill({ tenant, clientId, clientSecret: secreto }),
        })
      }
    >
      Rellenar con datos de prueba
    </Button>
  );
}
