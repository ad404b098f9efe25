import { Button, Textarea, TextInput } from '@mantine/core';
import { IconBook2, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { errorMessages } from '../../lib/http.ts';
import { makeOnce } from '../../lib/make-once.ts';
import { PATHS } from '../../lib/paths.ts';
import { useProvider } from '../../lib/provider.ts';
import { useTyped } from '../../lib/typed.ts';
import { Banner } from '../../ui/banner.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import classes from './help.module.css';

interface SupportMail {
  readonly Asunto: string;
  readonly Body: string;
}

const NOTHING: SupportMail = { Asunto: '', Body: '' };

export function Component() {
  const errors = useErrorDialog();
  const { empresa } = useProvider();
  const [mail, setMail] = useTyped('consulta', NOTHING);
  const [missing, setMissing] = useState<Partial<Record<keyof SupportMail, string>>>({});

  const send = useMutation({
    mutationFn: () => makeOnce<{ message: string }>('sendMailSupport', { ...mail }),
    onSuccess: () => setMail(NOTHING),
    onError: (error) => errors.show(errorMessages(error)),
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = {
      ...(mail.Asunto.trim() ? {} : { Asunto: 'Escribe de qué se trata.' }),
      ...(mail.Body.trim() ? {} : { Body: 'Cuéntanos qué necesitas.' }),
    };
    setMissing(lacks);
    if (Object.keys(lacks).length > 0) focusFirstInvalid(event.currentTarget);
    else send.mutate();
  };
  const change = (field: keyof SupportMail, value: string) => {
    setMail({ ...mail, [field]: value });
    setMissing({ ...missing, [field]: undefined });
    send.reset();
  };

  return (
    <>
      <PageTitle title="Ayuda y soporte" />
      <div className={classes.columns}>
        <section className={`hu-card ${classes.card}`} aria-labelledby="escribenos">
          <h2 id="escribenos" className={classes.heading}>
            Escríbenos
          </h2>
          <p className="hu-muted">
            Te respondemos al correo de tu cuenta. Con tu mensaje llegan el nombre y el NIF de tu
            empresa y la versión de Huella: no hace falta que los escribas.
          </p>
          {send.data && (
            <Banner tone="green" icon={IconCircleCheck} title={send.data.message} role="status" />
          )}
          <form className={classes.form} onSubmit={onSubmit} noValidate>
            <TextInput
              label="Asunto"
              name="Asunto"
              maxLength={200}
              required
              withAsterisk={false}
              value={mail.Asunto}
              onChange={(event) => change('Asunto', event.currentTarget.value)}
              error={missing.Asunto}
            />
            <Textarea
              label="Tu mensaje"
              name="Body"
              autosize
              minRows={6}
              maxRows={16}
              maxLength={5000}
              required
              withAsterisk={false}
              value={mail.Body}
              onChange={(event) => change('Body', event.currentTarget.value)}
              error={missing.Body}
            />
            <div>
              <Button type="submit" loading={send.isPending}>
                Enviar email
              </Button>
            </div>
          </form>
        </section>
        <div className={classes.side}>
          <Way
            to={PATHS.faq}
            Icon={IconHelpCircle}
            title="Preguntas frecuentes"
            text="Certificado, envíos a la AEAT, suscripción: lo que más se pregunta."
          />
          <Way
            to={PATHS.about}
            Icon={IconBook2}
            title="Manual y Acerca de"
            text="Descarga el manual en PDF. Qué hace Huella, su versión y quién responde de ella."
          />
          <section className={`hu-card ${classes.way}`}>
            <div>
              <h2>Otras formas</h2>
              <p className="hu-muted">
                {empresa.correo}
                <br />
                {empresa.telefono}
              </p>
            </div>
          </section>
        </div>
      </div>
    </>
  );
}

interface WayProps {
  readonly to: string;
  readonly Icon: typeof IconBook2;
  readonly title: string;
  readonly text: string;
}

function Way({ to, Icon, title, text }: WayProps) {
  return (
    <Link to={to} className={`hu-card ${classes.way}`}>
      <Icon size={20} stroke={1.7} aria-hidden="true" />
      <div>
        <h2>{title}</h2>
        <p className="hu-muted">{text}</p>
      </div>
    </Link>
  );
}
