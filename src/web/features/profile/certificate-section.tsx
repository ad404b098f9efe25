import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCertificate,
  IconCircleCheck,
  IconCircleX,
  IconPencil,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Certificate, DatosEmpresa } from '../../../contract/company.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { fecha } from '../../lib/format.ts';
import { ApiError, errorMessages, UNEXPECTED_IN_PROFILE } from '../../lib/http.ts';
import { useProvider } from '../../lib/provider.ts';
import { certificateQuery } from '../../lib/queries.ts';
import { useIsAsking } from '../../ui/asking.ts';
import { Chip } from '../../ui/chip.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useCompanyToday } from '../../ui/use-today.ts';
import { useSaveCertificate } from './api.ts';
import { CertificateDrop } from './certificate-drop.tsx';
import { type CertificateFinding, certificateFindings, KINDS } from './certificate-findings.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** The company's certificate: what was checked, and how to replace it. */
export function CertificateSection({ company }: { readonly company: DatosEmpresa }) {
  const { data: certificate, error, refetch } = useQuery(certificateQuery);
  const [file, setFile] = useState<File | null>(null);

  return (
    <Section
      id="certificado"
      title="Certificado Digital"
      help="Con él firmas la conexión con la AEAT. Se guarda cifrado."
      badge={
        certificate && <CertificateBadge certificate={certificate} isChanged={file !== null} />
      }
    >
      {certificate?.hasValue && (
        <Doctor certificate={certificate} nif={company.VATRegistrationNo} />
      )}
      {certificate && (
        <CertificateForm certificate={certificate} file={file} onFile={setFile} company={company} />
      )}
      {!certificate && error && (
        <FailedState
          title="No hemos podido consultar tu certificado"
          error={error}
          onRetry={refetch}
        />
      )}
    </Section>
  );
}

interface CertificateBadgeProps {
  readonly certificate: Certificate;
  /** A file is chosen but not uploaded yet. */
  readonly isChanged: boolean;
}

function CertificateBadge({ certificate, isChanged }: CertificateBadgeProps) {
  if (isChanged) {
    return (
      <Chip tone="amber" icon={IconPencil}>
        Certificado cambiado
      </Chip>
    );
  }
  if (!certificate.hasValue) {
    return (
      <Chip tone="amber" icon={IconAlertTriangle}>
        Sin certificado
      </Chip>
    );
  }
  if (certificate.caducado) {
    return (
      <Chip tone="red" icon={IconCircleX}>
        Certificado caducado
      </Chip>
    );
  }
  return (
    <Chip tone="green" icon={IconCircleCheck}>
      Certificado válido
    </Chip>
  );
}

const FINDING_ICONS: Readonly<Record<CertificateFinding['tone'], ReactNode>> = {
  bien: <IconCircleCheck size={18} stroke={1.8} role="img" aria-label="Correcto" />,
  aviso: <IconAlertTriangle size={18} stroke={1.8} role="img" aria-label="Aviso" />,
  mal: <IconCircleX size={18} stroke={1.8} role="img" aria-label="Error" />,
};

/** Its holder and what was checked, with the evidence on the right. */
function Doctor({ certificate, nif }: { certificate: Certificate; nif: string }) {
  const { titular, tipo, validoHasta } = certificate;
  const today = useCompanyToday();
  const facts = [
    tipo && `Certificado ${KINDS[tipo]}`,
    validoHasta && `hasta el ${fecha(validoHasta)}`,
  ];
  return (
    <>
      <div className={classes.holder}>
        <IconCertificate size={24} stroke={1.5} aria-hidden="true" />
        <div>
          <p className={classes.holderName}>{titular}</p>
          <p className="hu-muted">{facts.filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      <ul className={classes.findings}>
        {certificateFindings(certificate, nif, today).map(({ tone, text, evidence }) => (
          <li key={text} data-tone={tone}>
            {FINDING_ICONS[tone]}
            <span>{text}</span>
            <span className={classes.evidence}>{evidence}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface CertificateFormProps {
  readonly certificate: Certificate;
  readonly company: DatosEmpresa;
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

/** File and password. Errors are shown here, in the server's words. */
function CertificateForm({ certificate, company, file, onFile }: CertificateFormProps) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<{ file?: boolean; password?: boolean }>({});
  const save = useSaveCertificate();
  const isAsking = useIsAsking();
  const isChecking = save.isPending && !isAsking;
  const passwordField = useRef<HTMLInputElement>(null);
  const fileButton = useRef<HTMLButtonElement>(null);
  const hasForm = !certificate.hasValue || file !== null;

  const choose = (chosen: File | null) => {
    onFile(chosen);
    save.reset();
    setMissing({});
    if (chosen) requestAnimationFrame(() => passwordField.current?.focus());
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (save.isPending) return;
    setMissing({ file: file === null, password: password === '' });
    if (file === null || password === '') {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    save.mutate(
      { file, password },
      {
        onSuccess: () => {
          onFile(null);
          setPassword('');
        },
        onError: (error) => {
          if (isAboutFile(error)) fileButton.current?.focus();
          else passwordField.current?.select();
        },
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <CertificateDrop
        button={fileButton}
        hasCertificate={certificate.hasValue}
        file={file}
        isMissing={missing.file === true && file === null}
        isRefused={isAboutFile(save.error)}
        onFile={choose}
      />
      {hasForm && (
        <div className={classes.passwordRow}>
          <PasswordField
            ref={passwordField}
            label="Contraseña del certificado"
            autoComplete="off"
            {...(classes.password && { className: classes.password })}
            value={password}
            error={missing.password && password === '' && 'Escribe la contraseña del certificado.'}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button
            type="submit"
            aria-disabled={save.isPending}
            {...(classes.beside && { className: classes.beside })}
          >
            {isChecking ? 'Comprobando…' : 'Comprobar y guardar'}
          </Button>
          {file && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => choose(null)}
              {...(classes.beside && { className: classes.beside })}
            >
              Deshacer
            </Button>
          )}
        </div>
      )}
      {save.error && (
        <ErrorNote className={classes.refusal}>
          {errorMessages(save.error, UNEXPECTED_IN_PROFILE).join(' ')}
        </ErrorNote>
      )}
      {save.isSuccess && (
        <p className="hu-hidden" role="status">
          El certificado es válido y está guardado.
        </p>
      )}
      <TestCertificate company={company} />
    </form>
  );
}

/** Whether another file has to be chosen, and not only the password typed again. */
function isAboutFile(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, messages } = error;
  return status === 413 || (status === 400 && !messages.some((text) => /contraseña/.test(text)));
}

/** Only when the AEAT is simulated: a certificate to try the product with. */
function TestCertificate({ company }: { readonly company: DatosEmpresa }) {
  const { desarrollo, entornoAEAT } = useProvider();
  if (!desarrollo || entornoAEAT !== 'simulador') return null;
  const query = new URLSearchParams({ nif: company.VATRegistrationNo, nombre: company.Name });
  return (
    <p className={classes.quiet}>
      ¿Solo estás probando?{' '}
      <a href={`/desarrollo/certificado?${query}`} download={`${company.VATRegistrationNo}.p12`}>
        Descarga un certificado de prueba
      </a>
      , con contraseña «prueba».
    </p>
  );
}
